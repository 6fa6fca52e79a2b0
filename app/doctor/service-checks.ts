import { existsSync, readdirSync } from 'node:fs'
import { extname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { z } from 'zod'
import type { DoctorCheck, ExaminedSite } from './types.ts'

const SERVICES = join(import.meta.dirname, '../../plugins')
/** Compiled in the npm package. */
const ENTRY = `doctor${extname(import.meta.filename)}`

const states = z.record(z.string(), z.object({ state: z.string() }).catch({ state: '' })).catch({})

/**
 * The checks of the services that are not deactivated: what `doctor.ts` in the folder of each exports as `checks`. They are found by folder,
 * because they also run while the site is stopped or broken.
 */
export async function serviceChecks(options: ExaminedSite['options']): Promise<DoctorCheck[]> {
  const stored = states.parse(options.host_extensions)
  const files = readdirSync(SERVICES)
    .filter((id) => stored[id]?.state !== 'inactive')
    .map((id) => join(SERVICES, id, ENTRY))
    .filter((file) => existsSync(file))
    .sort()
  const loaded = await Promise.all(
    files.map((file): Promise<{ checks: readonly DoctorCheck[] }> => import(pathToFileURL(file).href)),
  )
  return loaded.flatMap(({ checks }) => checks)
}
