import type { Kill } from './errors.ts'

/** Costs that are remembered, for percentiles. */
const REMEMBERED = 500
/** Kills and refused requests that are listed. */
const LISTED = 20
/** Hosts that are counted: with a wildcard, an extension can reach any number of them. */
const MOST_HOSTS = 100

export interface SandboxUsage {
  /** Notes that a permission was used. @param key - Of a `PermissionItem` */
  use(key: string): void
  refuse(what: string): void
  /** Notes that a request was sent to a host. */
  reach(host: string): void
  cost(cost: { readonly cpu: number; readonly memory: number }): void
  kill(kill: Kill): void
  /** The kills within the last minute. */
  recentKills(): number
  lastUse(key: string): string | null
  report(): {
    readonly calls: number
    /** CPU time of a call in milliseconds that 95 of 100 calls do not exceed; `null` before the first call. */
    readonly cpuP95: number | null
    /** Largest memory of an instance, in bytes. */
    readonly memory: number
    /** Newest first. */
    readonly kills: readonly (Kill & { readonly time: string })[]
    /** What it had no permission for, newest first. */
    readonly refused: readonly { readonly time: string; readonly what: string }[]
    /** Where it sent requests to, most recent first. */
    readonly hosts: readonly { readonly host: string; readonly requests: number; readonly lastRequest: string }[]
  }
}

/** Records what a sandboxed extension uses and needs, since the site started. */
export function createUsage(): SandboxUsage {
  const uses = new Map<string, string>()
  const hosts = new Map<string, { readonly requests: number; readonly lastRequest: string }>()
  const costs: number[] = []
  const kills: (Kill & { readonly time: string })[] = []
  const refused: { readonly time: string; readonly what: string }[] = []
  let calls = 0
  let memory = 0
  const now = () => new Date().toISOString()

  return {
    use: (key) => void uses.set(key, now()),
    lastUse: (key) => uses.get(key) ?? null,
    reach(host) {
      const requests = (hosts.get(host)?.requests ?? 0) + 1
      // The most recent one is last.
      hosts.delete(host)
      hosts.set(host, { requests, lastRequest: now() })
      const [oldest] = hosts.keys()
      if (hosts.size > MOST_HOSTS && oldest !== undefined) hosts.delete(oldest)
    },
    refuse(what) {
      refused.unshift({ time: now(), what })
      refused.splice(LISTED)
    },
    cost(cost) {
      costs[calls % REMEMBERED] = cost.cpu
      calls++
      memory = Math.max(memory, cost.memory)
    },
    kill(kill) {
      kills.unshift({ ...kill, time: now() })
      kills.splice(LISTED)
    },
    recentKills: () => kills.filter(({ time }) => Date.now() - Date.parse(time) < 60_000).length,
    report() {
      const sorted = costs.toSorted((a, b) => a - b)
      return {
        ...{ calls, memory, kills, refused, cpuP95: sorted[Math.ceil(sorted.length * 0.95) - 1] ?? null },
        hosts: [...hosts].map(([host, reached]) => ({ host, ...reached })).reverse(),
      }
    },
  }
}
