import { join } from 'node:path'
import { RestError } from 'pentad'
import { z } from 'zod'
import { readJson, writeJson } from '../json-file.ts'
import type { Locations } from '../locations/index.ts'
import type { UploadedFile } from '../types.ts'

const keptSchema = z.object({ location: z.string(), state: z.unknown() })
const storedSchema = z.object({ location: z.string(), name: z.string() })

/** Where an archive has come to be. */
export type Stored = z.output<typeof storedSchema>

const KEPT = 'upload.json'
const STORED = 'uploaded.json'

/** `undefined` before the archive is at a location. */
export async function readStored(folder: string): Promise<Stored | undefined> {
  return storedSchema.safeParse(await readJson(join(folder, STORED))).data
}

/**
 * Sends the archive to its location, from where an earlier try has got to. Where that fails, it is kept on this
 * machine instead, so that a backup is never lost to a server that is away.
 *
 * @param told.fellBack - Gets why.
 */
export async function uploadArchive(
  locations: Locations,
  task: { folder: string; location: string; file: UploadedFile },
  told: { sent(bytes: number): void; fellBack(reason: string): Promise<void> },
  signal: AbortSignal,
): Promise<void> {
  const { folder, file } = task
  const kept = keptSchema.safeParse(await readJson(join(folder, KEPT))).data
  const send = async (id: string, state: unknown) => {
    const location = await locations.open(id)
    try {
      const keep = (next: unknown) => writeJson(join(folder, KEPT), { location: id, state: next })
      const name = await location.upload(file, { state, keep, sent: told.sent, signal })
      await writeJson(join(folder, STORED), { location: id, name })
    } finally {
      await location.close()
    }
  }
  const first = kept?.location ?? task.location
  try {
    await send(first, kept?.state)
  } catch (error) {
    signal.throwIfAborted()
    if (first === 'local' || !(error instanceof RestError)) throw error
    await told.fellBack(error.message)
    await discardUpload(locations, { folder, file }, signal).catch(() => {})
    await writeJson(join(folder, KEPT), { location: 'local' })
    told.sent(0)
    await send('local', undefined)
  }
}

/** Takes away what an upload that will not go on has left at its location. */
export async function discardUpload(
  locations: Locations,
  { folder, file }: { folder: string; file: UploadedFile },
  signal: AbortSignal,
): Promise<void> {
  const kept = keptSchema.safeParse(await readJson(join(folder, KEPT))).data
  const stored = await readStored(folder)
  const id = stored?.location ?? kept?.location
  if (id === undefined) return
  const location = await locations.open(id)
  try {
    if (stored) await location.remove(stored.name, signal)
    else await location.discard(file, kept?.state, signal)
  } finally {
    await location.close()
  }
}
