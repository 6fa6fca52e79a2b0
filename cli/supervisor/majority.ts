import type { MainThread, Sample } from './main-thread.ts'

/** Number of the heaviest stacks that are attributed. */
const HEAVIEST = 200
/** Share of the total from which an extension is considered responsible. */
const BLAMED_SHARE = 0.5

/** A stack as text, and how much of what was measured, for example bytes, belongs to it. */
export interface Weighed {
  readonly stack: string
  readonly weight: number
}

/** The extension with most of the weight, and its heaviest stack; `undefined` if none has the majority. */
export async function findMajority(main: MainThread, stacks: readonly Weighed[]): Promise<Sample | undefined> {
  const total = stacks.reduce((sum, { weight }) => sum + weight, 0)
  const heaviest = stacks.toSorted((a, b) => b.weight - a.weight).slice(0, HEAVIEST)
  const owners = await main.identify(heaviest.map(({ stack }) => stack))
  const held = new Map<string, number>()
  for (const [at, { weight }] of heaviest.entries()) {
    const id = owners[at]?.extension
    if (id !== undefined) held.set(id, (held.get(id) ?? 0) + weight)
  }
  const [id] = [...held].find(([, weight]) => weight > total * BLAMED_SHARE) ?? []
  const at = owners.findIndex((owner) => owner !== null && owner.extension === id)
  const [owner, stack] = [owners[at], heaviest[at]?.stack]
  // The hook is that of the code that runs now.
  return owner && stack !== undefined ? { stack, owner: { ...owner, hook: null } } : undefined
}
