import type { Registry } from 'prom-client'
import type { JoiningHost } from '../../../core/types.ts'

/** Owner of callbacks that belong to no extension, in labels. */
const HOST = 'core'
const STATES = ['active', 'inactive', 'paused'] as const

/** Calls, time and errors of extensions and services, and their states. Read when metrics are requested. */
export async function measureExtensions(registry: Registry, { inspectHooks, extensions }: JoiningHost): Promise<void> {
  const { Counter, Gauge } = await import('prom-client')
  const registers = [registry]

  /** Sums of the callbacks that are registered now: a reload or deactivation resets them, as a restart would. */
  function sumByOwner(read: (listener: { readonly calls: number; readonly time: number }) => number) {
    const sums = new Map<string, number>()
    for (const { listeners } of inspectHooks()) {
      for (const listener of listeners) {
        const owner = listener.owner || HOST
        sums.set(owner, (sums.get(owner) ?? 0) + read(listener))
      }
    }
    return sums
  }

  new Counter({
    name: 'pentad_hook_callback_calls_total',
    help: 'Calls of hook callbacks, by owner.',
    labelNames: ['owner'],
    registers,
    collect() {
      this.reset()
      for (const [owner, calls] of sumByOwner((listener) => listener.calls)) this.inc({ owner }, calls)
    },
  })
  new Counter({
    name: 'pentad_hook_callback_seconds_total',
    help: 'Estimated time in hook callbacks, including hooks that they dispatch and waiting, by owner.',
    labelNames: ['owner'],
    registers,
    collect() {
      this.reset()
      for (const [owner, time] of sumByOwner((listener) => listener.time)) this.inc({ owner }, time / 1000)
    },
  })
  new Counter({
    name: 'pentad_extension_errors_total',
    help: 'Errors in callbacks, routes, jobs, and other code of an extension, by owner.',
    labelNames: ['owner'],
    registers,
    collect() {
      this.reset()
      for (const { id } of extensions.list()) this.inc({ owner: id }, extensions.get(id)?.errorCount() ?? 0)
    },
  })
  new Gauge({
    name: 'pentad_extensions',
    help: 'Number of extensions and services, by state.',
    labelNames: ['state'],
    registers,
    collect() {
      const list = extensions.list()
      for (const state of STATES) this.set({ state }, list.filter((extension) => extension.state === state).length)
    },
  })
}
