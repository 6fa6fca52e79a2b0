import { z } from 'zod'
import type { Options } from '../../core/options/types.ts'

/** Option with the last unexpected end of the process that was not attributed to an extension. */
const OPTION = 'host_unexplained_end'
/** Milliseconds for which the notice is displayed. */
const SHOWN = 7 * 24 * 3_600_000

const storedSchema = z.object({ kind: z.enum(['blocked', 'memory']), time: z.iso.datetime() })

/** An end of the site's process that no extension could be named for. */
export type UnexplainedEnd = Readonly<z.output<typeof storedSchema>>

/** @param time - When it was noticed. */
export async function writeUnexplainedEnd(
  options: Options,
  kind: UnexplainedEnd['kind'],
  time = new Date(),
): Promise<void> {
  await options.update(OPTION, { kind, time: time.toISOString() })
}

/** The last one, if it is younger than a week. */
export function readUnexplainedEnd(options: Options): UnexplainedEnd | null {
  const { data } = storedSchema.safeParse(options.get(OPTION))
  return data && Date.now() - Date.parse(data.time) < SHOWN ? data : null
}
