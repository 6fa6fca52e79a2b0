import { join } from 'node:path'
import { RestError } from 'pentad'
import { z } from 'zod'
import { readJson, writeJson } from '../json-file.ts'
import type { BackupParts } from '../parts.ts'
import type { UploadedFile } from '../types.ts'
import { isRetryable } from './failure.ts'
import type { Leftover } from './leftovers.ts'
import { isPlainState, openState, sealState } from './sealed-state.ts'

const keptSchema = z.object({ location: z.string(), state: z.unknown().optional() })
const storedSchema = z.object({ location: z.string(), name: z.string() })

const fellBackSchema = z.object({ reason: z.string() })

/** Of the host, what encrypts. */
type UploadParts = Pick<BackupParts, 'locations' | 'leftovers'> & { readonly host: Pick<BackupParts['host'], 'vault'> }

/** Where an archive has come to be. */
export type Stored = z.output<typeof storedSchema>

const KEPT = 'upload.json'
const STORED = 'uploaded.json'
const FELL_BACK = 'fell-back.json'

/** `undefined` before the archive is at a location. */
export async function readStored(folder: string): Promise<Stored | undefined> {
  return storedSchema.safeParse(await readJson(join(folder, STORED))).data
}

/** Why an archive that was meant for another location is kept on this machine. */
export async function readFallBack(folder: string): Promise<string | undefined> {
  return fellBackSchema.safeParse(await readJson(join(folder, FELL_BACK))).data?.reason
}

/**
 * Sends the archive to its location, from where an earlier try has got to. Where that fails, it is kept on this
 * machine instead, so that a backup is never lost to a server that is away.
 *
 * @param told.fellBack - Gets why, and says it in words for the owner.
 * @param failures - Tries in a row that ended in an error that nobody foresaw.
 * @throws such an error, as long as another try may do better
 */
export async function uploadArchive(
  { host: { vault }, locations, leftovers }: UploadParts,
  task: { folder: string; location: string; file: UploadedFile; failures: number },
  told: { sent(bytes: number): void; fellBack(error: unknown): string },
  signal: AbortSignal,
): Promise<void> {
  const { folder, file } = task
  const keep = (location: string, state?: unknown) =>
    writeJson(join(folder, KEPT), { location, state: sealState(vault, state) })
  const send = async (id: string, state: unknown) => {
    const location = await locations.open(id)
    try {
      const name = await location.upload(file, { state, keep: (next) => keep(id, next), sent: told.sent, signal })
      await writeJson(join(folder, STORED), { location: id, name })
    } finally {
      await location.close()
    }
  }
  const kept = keptSchema.safeParse(await readJson(join(folder, KEPT))).data
  const first = kept?.location ?? task.location
  // From here on something of the archive may lie there, also where the location has nothing to keep.
  const state = openState(vault, kept?.state)
  if (!kept || isPlainState(kept.state)) await keep(first, state)
  try {
    await send(first, state)
  } catch (error) {
    signal.throwIfAborted()
    const isForeseen = error instanceof RestError
    if (first === 'local' || (!isForeseen && isRetryable(error, task.failures + 1))) throw error
    await writeJson(join(folder, FELL_BACK), { reason: told.fellBack(error) })
    const leftover = await leftoverOf({ folder, file, vault })
    if (leftover) await leftovers.remove(leftover, signal)
    await keep('local')
    told.sent(0)
    await send('local', undefined)
  }
}

/** What an upload that will not go on may have left at its location; `undefined` if it never began. */
export async function leftoverOf({
  folder,
  file,
  vault,
}: {
  folder: string
  file: UploadedFile
  vault: BackupParts['host']['vault']
}): Promise<Leftover | undefined> {
  const kept = keptSchema.safeParse(await readJson(join(folder, KEPT))).data
  const stored = await readStored(folder)
  const location = stored?.location ?? kept?.location
  if (location === undefined) return undefined
  return { location, name: stored?.name ?? file.name, file, state: openState(vault, kept?.state) }
}
