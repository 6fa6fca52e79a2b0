import type { ExtensionView } from '../../core/extensions/context.ts'
import { serviceView } from '../../core/extensions/service-view.ts'
import { assertOwnZod } from '../../core/extensions/zod-version.ts'
import type { Description } from '../../core/owner.ts'
import type { JobsHost } from './index.ts'
import type { Jobs } from './types.ts'

declare module '../../core/extensions/types.ts' {
  interface ExtensionHost {
    readonly jobs: Jobs
  }
}

/** The member `jobs` of an extension's host: its own schedules, jobs and queues, which are removed with it. */
export function jobsView(jobs: JobsHost): ExtensionView {
  return ({ owner, run, list, stage }) => {
    const owned = jobs.forOwner(owner, { staged: true })
    stage('jobs', owned)
    return {
      jobs: serviceView<Jobs>(owned, {
        schedule(name, when, work) {
          const what = registeredHere(`schedule ${name}`)
          return list(
            'jobs',
            name,
            owned.schedule(name, when, (signal) => run(() => work(signal), what)),
          )
        },
        define(definition) {
          assertOwnZod(definition, `the job ${definition.type}`)
          const { tick } = viewOf(definition, {})
          const what = registeredHere(`job ${definition.type}`)
          const { job, undo } = owned.define(viewOf(definition, { tick: (at) => run(() => tick(at), what) }))
          return { job, undo: list('jobs', definition.type, undo) }
        },
        createQueue(options) {
          const what = registeredHere(`queue ${options.name}`)
          const { work } = viewOf(options, {})
          const { queue, undo } = owned.createQueue(
            viewOf(options, { work: (item, signal) => run(() => work(item, signal), what) }),
          )
          return { queue, undo: list('jobs', options.name, undo) }
        },
      }),
    }
  }
}

function registeredHere(what: string): Description {
  return Object.assign(() => what, { added: new Error('Added here.') })
}

/** A copy of the object with some of its functions replaced. */
function viewOf<Target extends object>(target: Target, replaced: Partial<Target>): Target {
  const bound = new Map<PropertyKey, unknown>(Object.entries(replaced))
  return new Proxy(target, {
    get(_, key) {
      if (bound.has(key)) return bound.get(key)
      const value: unknown = Reflect.get(target, key)
      if (typeof value !== 'function') return value
      const method = value.bind(target)
      bound.set(key, method)
      return method
    },
  })
}
