import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ExtensionHost } from 'pentad'
import { z } from 'zod'
import { readJson, writeJson } from '../json-file.ts'
import type { Locations } from '../locations/index.ts'
import { namesIn } from '../missing-files.ts'
import { isPlainState, openState, sealState } from './sealed-state.ts'

/** Time limit for removing leftovers at a location, in ms. */
const CLEAN_UP = 30_000
/** Age in ms after which leftovers are given up: by then, services remove incomplete uploads themselves. */
const GIVEN_UP = 30 * 24 * 60 * 60_000

const leftoverSchema = z.object({
  /** Id of the location. */
  location: z.string(),
  /** Name of the archive at the location, if it is complete. */
  name: z.string(),
  file: z.object({ path: z.string(), name: z.string(), size: z.number(), sha256: z.string() }),
  /** Last saved state of the upload; stored encrypted. */
  state: z.unknown().optional(),
})

/** What an abandoned upload may have left at a location: a part of the archive, or all of it. */
export type Leftover = z.output<typeof leftoverSchema>

const recordSchema = leftoverSchema.extend({ since: z.number() })

export interface Leftovers {
  /**
   * Removes it now if the location is available, and again within the hour: a server may still store data from a lost
   * connection.
   */
  remove(leftover: Leftover, signal: AbortSignal): Promise<void>
  /** Removes recorded leftovers; those that cannot be removed now stay recorded. */
  sweep(signal: AbortSignal): Promise<void>
  /** Names of recorded archives. New archives must not use them, or they would be removed. */
  names(): Promise<string[]>
}

/** @param backups - `<site>/backups`, where the records survive a crash and a restore. */
export function createLeftovers(
  backups: string,
  { locations, vault }: { readonly locations: Pick<Locations, 'open'>; readonly vault: ExtensionHost['vault'] },
): Leftovers {
  const folder = join(backups, 'leftovers')
  const pathOf = ({ file }: Leftover) => join(folder, `${file.sha256}.json`)

  const record = (leftover: z.output<typeof recordSchema>) =>
    writeJson(pathOf(leftover), { ...leftover, state: sealState(vault, leftover.state) })

  async function removeFromLocation({ location: id, name, file, state }: Leftover, signal: AbortSignal): Promise<void> {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(CLEAN_UP)])
    const location = await locations.open(id)
    try {
      await location.discard(file, state, limited)
      // The upload may have completed before a crash, without being recorded.
      await location.remove(name, limited)
    } finally {
      await location.close()
    }
  }

  async function list(): Promise<{ path: string; known: z.output<typeof recordSchema> | undefined }[]> {
    const paths = (await namesIn(folder)).map((name) => join(folder, name))
    return Promise.all(paths.map(async (path) => ({ path, known: recordSchema.safeParse(await readJson(path)).data })))
  }

  return {
    names: async () => (await list()).flatMap(({ known }) => (known ? [known.name, known.file.name] : [])),
    async remove(leftover, signal) {
      await record({ ...leftover, since: Date.now() })
      await removeFromLocation(leftover, signal).catch(() => signal.throwIfAborted())
    },
    async sweep(signal) {
      for (const { path, known } of await list()) {
        try {
          if (known) await removeFromLocation({ ...known, state: openState(vault, known.state) }, signal)
        } catch {
          signal.throwIfAborted()
          if (known && Date.now() - known.since < GIVEN_UP) {
            if (isPlainState(known.state)) await record(known)
            continue
          }
        }
        await rm(path, { force: true })
      }
    },
  }
}
