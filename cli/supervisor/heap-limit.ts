import { getHeapStatistics } from 'node:v8'

/** Megabytes of each of the three semi-spaces of V8, on 64 bits. */
const SEMI_SPACE = 64

/** Megabytes of the heap at which the process ends. */
export function heapLimit(): number {
  const chosen = optionOfNode(/--max[-_]old[-_]space[-_]size[= ](\d+)/g)
  if (chosen !== undefined) return chosen
  // V8 reports only what both generations may take. Nothing stays in the young one: new objects lie there, and those that live on are moved.
  const limit = Math.round(getHeapStatistics().heap_size_limit / 1024 / 1024)
  const semiSpace = optionOfNode(/--max[-_]semi[-_]space[-_]size[= ](\d+)/g) ?? SEMI_SPACE
  return Math.max(limit - 3 * semiSpace, limit / 2)
}

/** The number of an option, of which the last one counts. */
function optionOfNode(option: RegExp): number | undefined {
  const given = `${process.env.NODE_OPTIONS ?? ''} ${process.execArgv.join(' ')}`
  const value = [...given.matchAll(option)].at(-1)?.[1]
  return value === undefined ? undefined : Number(value)
}
