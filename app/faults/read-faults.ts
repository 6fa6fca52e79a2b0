import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { namesIn } from '../../cms/files/names-in.ts'
import { type Fault, faultFolder } from './fault.ts'

const faultSchema = z.object({
  kind: z.enum(['blocked', 'memory', 'crash']),
  process: z.enum(['server', 'command']),
  extension: z.string().nullable(),
  hook: z.string().nullable(),
  place: z.string().nullable(),
  stack: z.string(),
  seconds: z.number(),
}) satisfies z.ZodType<Fault>

/**
 * Passes every recorded fault of a site to `take`, oldest first, and then removes it: if the process is killed in between,
 * the fault is read again. Files that are not faults are removed.
 */
export async function takeFaults(siteDir: string, take: (fault: Fault) => Promise<void>): Promise<void> {
  const folder = faultFolder(siteDir)
  for (const name of (await namesIn(folder)).sort()) {
    const file = join(folder, name)
    const fault = await readFault(file)
    if (fault) await take(fault)
    await rm(file, { force: true })
  }
}

async function readFault(file: string): Promise<Fault | undefined> {
  try {
    return faultSchema.safeParse(JSON.parse(await readFile(file, 'utf8'))).data
  } catch {
    // Another process of the site took it, or it was cut short.
    return undefined
  }
}
