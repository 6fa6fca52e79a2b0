/**
 * The cost of a dispatch, compared with `@wordpress/hooks`, raw tapable and a plain loop in the same run:
 * `npm run bench:hooks`. Short rounds alternate between all of them; reported is the median.
 *
 * The counterpart of a registry of named hooks is tapable's own `HookMap`. `raw tapable` is a single hook,
 * whose callbacks V8 inlines at the call site. `@wordpress/hooks` is measured
 * twice, both times in production mode: as Node loads it, and bundled with a constant NODE_ENV,
 * as browsers get it (reading `process.env` takes 0.2 µs per dispatch).
 */

import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import * as wordPress from '@wordpress/hooks'
import { build } from 'esbuild'
import { AsyncSeriesWaterfallHook, HookMap, SyncWaterfallHook } from 'tapable'
import { createHooks } from '../core/hooks/index.ts'
import type { Owner } from '../core/owner.ts'
import { median, printTarget } from './load.ts'

declare module '../core/hooks/names.ts' {
  interface Filters {
    bench_filter: [value: number]
  }
  interface AsyncFilters {
    bench_async_filter: [value: number]
  }
}

type Callback = (value: number) => number
type Contestants = Record<string, (value: number) => unknown>
/** Nanoseconds per dispatch, by number of callbacks, by contestant. */
type Times = Record<number, Record<string, number>>

const WARM_UP_ROUNDS = 25
const ROUNDS = 31
const OURS = 'Pentad, bare registry'
const PEER = '@wordpress/hooks'
const HOOK_MAP = 'raw tapable, HookMap'
const GUARDED = 'Pentad, guarded callbacks'
const TAP = 'raw tapable, tap'

if (process.env.NODE_ENV !== 'production') {
  const { status } = spawnSync(process.execPath, [...process.execArgv, fileURLToPath(import.meta.url)], {
    stdio: 'inherit',
    env: { ...process.env, NODE_ENV: 'production' },
  })
  process.exit(status ?? 1)
}

const bundledWordPress = await bundleForProduction(PEER)
const owner: Owner = { id: 'bench', signal: new AbortController().signal, onError() {}, onUndefined() {} }

const sync = await measure(syncContestants, (dispatch, times) => {
  for (let value = 0; value < times; value++) dispatch(value)
})
const async = await measure(asyncContestants, async (dispatch, times) => {
  for (let value = 0; value < times; value++) await dispatch(value)
})

console.log('applyFilters: nanoseconds per dispatch, by number of callbacks')
console.table(tabulate(sync))
console.log('applyFiltersAsync with synchronous callbacks: nanoseconds per dispatch')
console.table(tabulate(async))
console.log('Targets, for the bare registry unless stated otherwise')
printTarget('times as fast as @wordpress/hooks, 10 callbacks', ratio(sync, 10, PEER, OURS), 12, 'at least')
printTarget('times as long as raw tapable by name, 10 callbacks', ratio(sync, 10, OURS, HOOK_MAP), 2, 'at most')
printTarget('times as long as raw tapable by name, 100 callbacks', ratio(sync, 100, OURS, HOOK_MAP), 1.2, 'at most')
printTarget(
  'times as long as raw tapable by name, 10 guarded callbacks',
  ratio(sync, 10, GUARDED, HOOK_MAP),
  2,
  'at most',
)
printTarget(
  'times as long as raw tapable by name, 100 guarded callbacks',
  ratio(sync, 100, GUARDED, HOOK_MAP),
  2,
  'at most',
)
printTarget('times as long as raw tapable, async, 1 callback', ratio(async, 1, OURS, TAP), 2, 'at most')
printTarget('times as long as raw tapable, async, 10 callbacks', ratio(async, 10, OURS, TAP), 2, 'at most')
printTarget('times as long as raw tapable, async, 100 callbacks', ratio(async, 100, OURS, TAP), 2, 'at most')
printTarget('times as fast as @wordpress/hooks, async, 10 callbacks', ratio(async, 10, PEER, OURS), 3, 'at least')
printTarget('times as long as a Map lookup, no callbacks', ratio(sync, 0, OURS, 'Map lookup'), 2, 'at most')

function syncContestants(callbacks: readonly Callback[]): Contestants {
  const bare = createHooks()
  const guarded = createHooks().forOwner(owner)
  const peer = wordPress.createHooks()
  const bundled = bundledWordPress.createHooks()
  const tapable = new SyncWaterfallHook<[number]>(['value'])
  const hookMap = new HookMap(() => new SyncWaterfallHook<[number]>(['value']))
  const names = new Map([['bench_filter', 0]])
  for (const [index, callback] of callbacks.entries()) {
    bare.addFilter('bench_filter', callback)
    guarded.addFilter('bench_filter', callback)
    peer.addFilter('bench_filter', `bench/${index}`, callback)
    bundled.addFilter('bench_filter', `bench/${index}`, callback)
    tapable.tap('bench', callback)
    hookMap.for('bench_filter').tap('bench', callback)
  }
  return {
    [OURS]: (value) => bare.applyFilters('bench_filter', value),
    [GUARDED]: (value) => guarded.applyFilters('bench_filter', value),
    [PEER]: (value) => peer.applyFilters('bench_filter', value),
    '@wordpress/hooks, bundled': (value) => bundled.applyFilters('bench_filter', value),
    [HOOK_MAP]: (value) => hookMap.for('bench_filter').call(value),
    'raw tapable': (value) => tapable.call(value),
    'plain loop': (value) => {
      let result = value
      for (const callback of callbacks) result = callback(result)
      return result
    },
    'Map lookup': () => names.get('bench_filter'),
  }
}

function asyncContestants(callbacks: readonly Callback[]): Contestants {
  const bare = createHooks()
  const guarded = createHooks().forOwner(owner)
  const peer = wordPress.createHooks()
  const bundled = bundledWordPress.createHooks()
  const tapable = new AsyncSeriesWaterfallHook<[number]>(['value'])
  const promising = new AsyncSeriesWaterfallHook<[number]>(['value'])
  for (const [index, callback] of callbacks.entries()) {
    bare.addFilter('bench_async_filter', callback)
    guarded.addFilter('bench_async_filter', callback)
    peer.addFilter('bench_async_filter', `bench/${index}`, callback)
    bundled.addFilter('bench_async_filter', `bench/${index}`, callback)
    tapable.tap('bench', callback)
    promising.tapPromise('bench', async (value) => callback(value))
  }
  return {
    [OURS]: (value) => bare.applyFiltersAsync('bench_async_filter', value),
    [GUARDED]: (value) => guarded.applyFiltersAsync('bench_async_filter', value),
    [PEER]: (value) => peer.applyFiltersAsync('bench_async_filter', value),
    '@wordpress/hooks, bundled': (value) => bundled.applyFiltersAsync('bench_async_filter', value),
    [TAP]: (value) => tapable.promise(value),
    'raw tapable, tapPromise': (value) => promising.promise(value),
  }
}

/** Measures all contestants alternately, with 0, 1, 10 and 100 callbacks. */
async function measure(
  contestantsOf: (callbacks: readonly Callback[]) => Contestants,
  repeat: (dispatch: (value: number) => unknown, times: number) => void | Promise<void>,
): Promise<Times> {
  const times: Times = {}
  for (const count of [0, 1, 10, 100]) {
    const contestants = contestantsOf(Array.from({ length: count }, (_, index) => callbackNumber(index)))
    const rounds: Record<string, number[]> = {}
    const calls = Math.ceil(200_000 / (count + 2))
    for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
      for (const [contestant, dispatch] of Object.entries(contestants)) {
        const start = process.hrtime.bigint()
        await repeat(dispatch, calls)
        const nanoseconds = Number(process.hrtime.bigint() - start)
        if (round < 0) continue
        rounds[contestant] ??= []
        rounds[contestant].push(nanoseconds / calls)
      }
    }
    times[count] = Object.fromEntries(Object.entries(rounds).map(([contestant, all]) => [contestant, median(all)]))
  }
  return times
}

/** Compiles a separate function for each callback, because callbacks of different plugins are different functions to V8. */
function callbackNumber(index: number): Callback {
  const compiled = new Function('value', `return value + ${index}`)
  return (value) => compiled(value)
}

async function bundleForProduction(name: string): Promise<typeof wordPress> {
  const { outputFiles } = await build({
    stdin: { contents: `export * from '${name}'`, resolveDir: import.meta.dirname },
    bundle: true,
    format: 'esm',
    write: false,
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  return import(`data:text/javascript,${encodeURIComponent(outputFiles[0]?.text ?? '')}`)
}

/** One row per contestant: nanoseconds, and in parentheses the ratio to Pentad's bare registry. */
function tabulate(times: Times): Record<string, Record<string, string>> {
  const table: Record<string, Record<string, string>> = {}
  for (const [count, contestants] of Object.entries(times)) {
    for (const [contestant, nanoseconds] of Object.entries(contestants)) {
      const factor = ratio(times, Number(count), contestant, OURS)
      table[contestant] = {
        ...table[contestant],
        [`${count} callbacks`]: `${Math.round(nanoseconds)} (${round(factor)})`,
      }
    }
  }
  return table
}

function ratio(times: Times, count: number, one: string, other: string): number {
  return timeOf(times, count, one) / timeOf(times, count, other)
}

function timeOf(times: Times, count: number, contestant: string): number {
  return times[count]?.[contestant] ?? Number.NaN
}

function round(value: number): number {
  return Number(value.toFixed(1))
}
