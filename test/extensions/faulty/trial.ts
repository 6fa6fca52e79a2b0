import { setTimeout as wait } from 'node:timers/promises'
import type { Fault } from './fault.ts'
import { type Answer, type FaultySite, HEALTHY, SECRETS } from './site.ts'

/** What visitors read meanwhile: pages, a feed and routes, none of them of the faulty extension. */
const OTHERS = [
  ...['/', '/hello-world/', '/hello-world/?fresh=', '/partly/', '/feed/', '/?s=hello'],
  ...['/wp-json/wp/v2/posts?per_page=3', '/wp-json/healthy/v1/x', '/wp-json/'],
]
/** An extension is paused at its fifth fault within a minute; some visits meet it while it is being paused. */
const MOST_VISITS = 12
/** Milliseconds between two visits, in which code that nobody waits for runs. */
const PAUSE = 10
/** Milliseconds until an extension is paused after its last fault. */
const PAUSING = 5_000
/** What is answered in place of content that cannot be protected: the page, or the post that nobody may read. */
const CLOSED = [401, 403, 404, 503]

/** What is wrong with an answer that has nothing to do with the faulty extension, or with nothing but what that protects. */
export function wrongWith(path: string, answer: Answer, fault?: Fault): string | undefined {
  const { status, text } = answer
  for (const secret of SECRETS) if (text.includes(secret)) return `${path} shows ${secret}`
  if (fault?.closes && CLOSED.includes(status)) {
    const isCached = /HIT|STALE/.test(answer.headers.get('x-cache') ?? '')
    return isCached ? `${path} is closed and cached` : undefined
  }
  if (status !== 200) return `${path} answers ${status}`
  if (/^\/(?!feed|wp-json)/.test(path) && !text.includes(HEALTHY)) return `${path} is not complete`
  return undefined
}

export interface Reading {
  readonly wrong: readonly string[]
  /** What each answer took, in milliseconds, in ascending order. */
  readonly times: readonly number[]
}

/** How many visitors read, how long each rests between two pages, and what is switched on meanwhile. */
interface Readers {
  readonly clients: number
  readonly rest: number
  readonly fault?: Fault
}

/** Reads all that visitors read, until it is over. */
export async function readSite(
  site: FaultySite,
  { clients, rest, fault }: Readers,
  isOver: () => boolean,
): Promise<Reading> {
  const wrong: string[] = []
  const times: number[] = []
  async function read(client: number): Promise<void> {
    for (let at = client; !isOver(); at++) {
      const path = OTHERS[at % OTHERS.length] ?? '/'
      const began = performance.now()
      const problem = wrongWith(path, await site.ask(path.endsWith('=') ? `${path}${Math.random()}` : path), fault)
      times.push(performance.now() - began)
      if (problem !== undefined) wrong.push(problem)
      if (rest > 0) await wait(rest)
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, client) => read(client)))
  return { wrong, times: times.sort((one, other) => one - other) }
}

/** What became of a faulty extension. */
export interface Outcome {
  /** Ids of all paused extensions. */
  readonly paused: readonly string[]
  /** Why it was paused; empty if it was not. */
  readonly reason: string
  /** What was wrong with the answers that it had a hand in. */
  readonly wrong: readonly string[]
}

/** Asks once for what shows the fault, past the page cache. Answers what is wrong with the answer. */
export async function visit(site: FaultySite, fault: Fault): Promise<string | undefined> {
  const { visit: asked = '/hello-world/', request, own, closes } = fault
  const path = asked.startsWith('/wp-') ? asked : `${asked}${asked.includes('?') ? '&' : '?'}visit=${Math.random()}`
  const answer = await site.ask(path, request, Math.random())
  await wait(PAUSE)
  if (own === 'fails') return undefined
  if (closes) return wrongWith(asked, answer, fault)
  return answer.status >= 500 ? `${asked} answers ${answer.status}` : undefined
}

/** Installs a faulty extension and meets the fault until it is paused. */
export async function meet(site: FaultySite, fault: Fault): Promise<Outcome> {
  const { id } = fault
  const seen = site.output().length
  const isPaused = () =>
    site
      .output()
      .slice(seen)
      .split('\n')
      .some((line) => line.includes('"extension paused"') && line.includes(`"extension":"${id}"`))
  const wrong: string[] = []
  await site.install(fault)
  for (let visits = 0; visits < MOST_VISITS && !isPaused(); visits++) {
    const problem = await visit(site, fault)
    if (problem !== undefined) wrong.push(problem)
  }
  const given = Date.now() + PAUSING
  while (!isPaused() && Date.now() < given) await wait(PAUSE)
  const paused = (await site.states()).filter(({ state }) => state === 'paused')
  const reason = paused.find((extension) => extension.id === id)?.reason ?? ''
  return { paused: paused.map((extension) => extension.id), reason, wrong }
}

/** Whether the reason says where the fault is: the hook, route or job, and the file and line. */
export function saysWhere({ id, where }: Fault, reason: string): boolean {
  return where.test(reason) && new RegExp(`\\(${id}/index\\.ts:\\d+\\)`).test(reason)
}

const showsSecret = (text: string) => SECRETS.some((secret) => text.includes(secret))

/** What is not right about what visitors must not read, asked twice: at first, and where a cache may answer. */
export async function findSecrets(site: FaultySite, fault?: Fault): Promise<string[]> {
  const found: string[] = []
  for (const path of ['/partly/', '/partly/', '/', '/feed/', '/?s=members', '/wp-json/wp/v2/posts']) {
    const problem = wrongWith(path, await site.ask(path), fault)
    if (problem !== undefined) found.push(problem)
  }
  if (site.cachedPages().some(showsSecret)) found.push('the page cache holds a secret')
  for (const path of ['/members-only/', '/members-only/']) {
    const { status, text, headers } = await site.ask(path)
    if (showsSecret(text)) found.push(`${path} shows a secret`)
    if (status === 200) found.push(`${path} answers 200, ${headers.get('x-cache')}`)
  }
  return found
}
