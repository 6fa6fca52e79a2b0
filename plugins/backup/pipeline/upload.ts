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

/** The parts needed; of the host only encryption. */
type UploadParts = Pick<BackupParts, 'locations' | 'leftovers'> & { readonly host: Pick<BackupParts['host'], 'vault'> }

/** Where an archive was stored. */
export type Stored = z.output<typeof storedSchema>

const KEPT = 'upload.json'
const STORED = 'uploaded.json'
const FELL_BACK = 'fell-back.json'

/** Where the archive was stored; `undefined` before that. */
export async function readStored(folder: string): Promise<Stored | undefined> {
  return storedSchema.safeParse(await readJson(join(folder, STORED))).data
}

/** Why an archive was stored locally instead of at its location. */
export async function readFallBack(folder: string): Promise<string | undefined> {
  return fellBackSchema.safeParse(await readJson(join(folder, FELL_BACK))).data?.reason
}

/**
 * Uploads the archive to its location, resuming an earlier attempt. If that fails, the archive is stored locally
 * instead, so that an unavailable server never loses a backup.
 *
 * @param events.fellBack - Receives the error and returns a message for the owner.
 * @param failures - Consecutive attempts that ended in an unexpected error.
 * @throws an unexpected error, as long as a retry may succeed
 */
export async function uploadArchive(
  { host: { vault }, locations, leftovers }: UploadParts,
  task: { folder: string; location: string; file: UploadedFile; failures: number },
  events: { sent(bytes: number): void; fellBack(error: unknown): string },
  signal: AbortSignal,
): Promise<void> {
  const { folder, file } = task
  const keep = (location: string, state?: unknown) =>
    writeJson(join(folder, KEPT), { location, state: sealState(vault, state) })
  const send = async (id: string, state: unknown) => {
    const location = await locations.open(id)
    try {
      const name = await location.upload(file, { state, keep: (next) => keep(id, next), sent: events.sent, signal })
      await writeJson(join(folder, STORED), { location: id, name })
    } finally {
      await location.close()
    }
  }
  const kept = keptSchema.safeParse(await readJson(join(folder, KEPT))).data
  const first = kept?.location ?? task.location
  // Recorded before the upload starts, since parts of the archive may exist at the location from now on.
  const state = openState(vault, kept?.state)
  if (!kept || isPlainState(kept.state)) await keep(first, state)
  try {
    await send(first, state)
  } catch (error) {
    signal.throwIfAborted()
    const isExpected = error instanceof RestError
    if (first === 'local' || (!isExpected && isRetryable(error, task.failures + 1))) throw error
    await writeJson(join(folder, FELL_BACK), { reason: events.fellBack(error) })
    const leftover = await leftoverOf({ folder, file, vault })
    if (leftover) await leftovers.remove(leftover, signal)
    await keep('local')
    events.sent(0)
    await send('local', undefined)
  }
}

/** What an abandoned upload may have left at its location; `undefined` if it never started. */
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
