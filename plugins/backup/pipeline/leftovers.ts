import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ExtensionHost } from 'pentad'
import { z } from 'zod'
import { readJson, writeJson } from '../json-file.ts'
import type { Locations } from '../locations/index.ts'
import { namesIn } from '../missing-files.ts'
import { isPlainState, openState, sealState } from './sealed-state.ts'

/** Milliseconds that a location gets to take away what is not wanted any more. */
const CLEAN_UP = 30_000
/** Milliseconds after which a location is not asked any more: services end half an upload themselves by then. */
const GIVEN_UP = 30 * 24 * 60 * 60_000

const leftoverSchema = z.object({
  /** Id of the location. */
  location: z.string(),
  /** Under which the location has it, if it is whole. */
  name: z.string(),
  file: z.object({ path: z.string(), name: z.string(), size: z.number(), sha256: z.string() }),
  /** As the upload kept it last; encrypted in the file. */
  state: z.unknown().optional(),
})

/** What an upload that will not go on may have left at a location: a part of the archive, or all of it. */
export type Leftover = z.output<typeof leftoverSchema>

const noted = leftoverSchema.extend({ since: z.number() })

export interface Leftovers {
  /**
   * Takes it away now if the location is there, and once more within the hour: a server may still be at work on a
   * connection that broke, and put down what it got.
   */
  remove(leftover: Leftover, signal: AbortSignal): Promise<void>
  /** Takes away what is noted; what it cannot now stays noted. */
  sweep(signal: AbortSignal): Promise<void>
  /** Names of archives that are noted: no new one may have them, or it would be taken away. */
  names(): Promise<string[]>
}

/** @param backups - `<site>/backups`; what is noted survives a crash and a restore there. */
export function createLeftovers(
  backups: string,
  { locations, vault }: { readonly locations: Pick<Locations, 'open'>; readonly vault: ExtensionHost['vault'] },
): Leftovers {
  const folder = join(backups, 'leftovers')
  const pathOf = ({ file }: Leftover) => join(folder, `${file.sha256}.json`)

  const note = (leftover: z.output<typeof noted>) =>
    writeJson(pathOf(leftover), { ...leftover, state: sealState(vault, leftover.state) })

  async function removeFromLocation({ location: id, name, file, state }: Leftover, signal: AbortSignal): Promise<void> {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(CLEAN_UP)])
    const location = await locations.open(id)
    try {
      await location.discard(file, state, limited)
      // A crash may have come between the last byte and its being recorded.
      await location.remove(name, limited)
    } finally {
      await location.close()
    }
  }

  async function list(): Promise<{ path: string; known: z.output<typeof noted> | undefined }[]> {
    const paths = (await namesIn(folder)).map((name) => join(folder, name))
    return Promise.all(paths.map(async (path) => ({ path, known: noted.safeParse(await readJson(path)).data })))
  }

  return {
    names: async () => (await list()).flatMap(({ known }) => (known ? [known.name, known.file.name] : [])),
    async remove(leftover, signal) {
      await note({ ...leftover, since: Date.now() })
      await removeFromLocation(leftover, signal).catch(() => signal.throwIfAborted())
    },
    async sweep(signal) {
      for (const { path, known } of await list()) {
        try {
          if (known) await removeFromLocation({ ...known, state: openState(vault, known.state) }, signal)
        } catch {
          signal.throwIfAborted()
          if (known && Date.now() - known.since < GIVEN_UP) {
            if (isPlainState(known.state)) await note(known)
            continue
          }
        }
        await rm(path, { force: true })
      }
    },
  }
}
