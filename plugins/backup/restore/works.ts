import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { type ArchiveLocations, openSource } from '../archive-source.ts'
import { namesIn } from '../missing-files.ts'
import { removeTree } from './remove-tree.ts'
import type { RestoreState, RestoreStates } from './state.ts'
import { createRestoreWork, type RestoreOrders, type RestoreSite, type RestoreWork } from './work.ts'
import { describeWorker, isAlive } from './worker.ts'

/** Interval of heartbeats of the process that works on a restore, in ms. */
const HEARTBEAT = 3000

/**
 * The restores that this process works on. One process works on a restore at a time: it takes over from one that ended or no longer sends
 * heartbeats, and discards its own work if another one took over.
 */
export function createWorks(
  site: RestoreSite,
  {
    states,
    locations,
    exclusion,
  }: {
    states: RestoreStates
    locations: ArchiveLocations | undefined
    exclusion: RestoreOrders['exclusion']
  },
) {
  /** Each with a worker id that changes on takeover, so that late ticks are detected. */
  const works = new Map<string, { worker: string; work: RestoreWork }>()

  function workOn(id: string, worker: string): RestoreWork {
    const known = works.get(id)
    if (known) return known.work
    const work = createRestoreWork(site, {
      folder: states.folderOf(id),
      worker,
      openSource: ({ source }) => openSource(source, { siteDir: site.dir, locations }),
      exclusion,
      // Once more afterward: a successor that saw no decision removes what this process has prepared.
      decide: async () =>
        (await isHeldBy(id, worker)) && (await states.decide(id, 'replaced')) && (await isHeldBy(id, worker)),
    })
    works.set(id, { worker, work })
    return work
  }

  /** Closes the work of this process, optionally only that of a given worker. */
  async function stop(id: string, worker?: string): Promise<void> {
    const known = works.get(id)
    if (!known || (worker !== undefined && known.worker !== worker)) return
    works.delete(id)
    await known.work.close()
  }

  /** Work folders, one per process that worked on it. */
  async function foldersOf(id: string): Promise<string[]> {
    const work = join(states.folderOf(id), 'work')
    return (await namesIn(work)).map((worker) => join(work, worker))
  }

  /** Whether this worker still holds the restore. Another process may take over if this one was paused. */
  async function isHeldBy(id: string, worker: string): Promise<boolean> {
    return (await states.read(id))?.worker?.id === worker
  }

  /** Sends heartbeats during a step, since it may take longer than the takeover timeout. */
  async function advance(state: RestoreState, worker: string, until: AbortSignal): Promise<RestoreState> {
    const sign = async () => {
      if (await isHeldBy(state.id, worker)) await states.write({ ...state, worker: describeWorker(worker) })
    }
    let signing = Promise.resolve()
    const timer = setInterval(() => {
      // The next heartbeat follows soon; disk errors are reported by the step itself.
      signing = signing.then(sign).catch(() => {})
    }, HEARTBEAT)
    try {
      return await workOn(state.id, worker).advance(state, until)
    } finally {
      clearInterval(timer)
      await signing
    }
  }

  /** `undefined` while another process works on it. */
  async function takeOver(state: RestoreState): Promise<{ before: RestoreState; worker: string } | undefined> {
    const known = works.get(state.id)?.worker
    const isOurs = known !== undefined && state.worker?.id === known
    if (state.worker && !isOurs && isAlive(state.worker)) return undefined
    if (isOurs) return { before: await states.write({ ...state, worker: describeWorker(known) }), worker: known }
    await stop(state.id)
    const worker = randomBytes(12).toString('hex')
    const stage = state.stage === 'verify' ? state.stage : 'extract'
    // Before the takeover, so that a successor's is not among them.
    const former = await foldersOf(state.id)
    const before = await states.takeOver({ ...state, stage, worker: describeWorker(worker) })
    if (!before) return undefined
    // What another process unpacked may be incomplete or still being written. It has lost the restore already, so it does not take its
    // missing files for an error of the restore.
    if (!(await states.isDecided(state.id))) {
      for (const folder of former) {
        for (const name of await namesIn(folder)) await removeTree(join(folder, name))
      }
    }
    return { before, worker }
  }

  return {
    takeOver,
    isHeldBy,
    advance,
    stop,
    foldersOf,
    /** Stops all of them; the next tick resumes them. */
    async close() {
      for (const id of [...works.keys()]) await stop(id)
    },
  }
}
