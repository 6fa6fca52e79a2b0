import { type ExtensionHost, RestError, type Settings } from 'pentad'
import { z } from 'zod'
import type { backupSettings } from '../settings.ts'
import type { LocationDefinition } from '../types.ts'
import { locationError } from './failure.ts'
import type { Locations } from './index.ts'

const OPTION = 'backup_connection_tests'
/** Time limit of a test, in ms. */
const LIMIT = 60_000

export const connectionTestShape = z.object({
  date: z.iso.datetime(),
  error: z.string().nullable().describe('Why the test failed; `null` if it succeeded.'),
})

const storedSchema = z.record(z.string(), connectionTestShape)

type Results = z.output<typeof storedSchema>

/** Tests the connection to locations, and remembers the latest result of each until its settings change. */
export interface ConnectionTests {
  /** By ID of the location. */
  latest(): Readonly<Results>
  /**
   * Writes, reads, and deletes a small file.
   *
   * @throws RestError 502 `backup_location_failed`
   */
  run(location: LocationDefinition, signal: AbortSignal): Promise<void>
}

export function createConnectionTests(
  { options, hooks }: Pick<ExtensionHost, 'options' | 'hooks'>,
  { settings, locations }: { settings: Settings<typeof backupSettings>; locations: Locations },
): ConnectionTests {
  const read = (stored: unknown): Results => storedSchema.safeParse(stored).data ?? {}

  // Not after the change: secrets that have changed are masked then.
  hooks.addAction('backup_settings_update:before', async (changes) => {
    const isChanged = ({ settings: keys = [] }: LocationDefinition) => keys.some((key) => key in changes)
    const changed = new Set(locations.list().flatMap((location) => (isChanged(location) ? location.id : [])))
    if (!Object.keys(read(options.get(OPTION))).some((id) => changed.has(id))) return
    await options.modify(OPTION, (stored) =>
      Object.fromEntries(Object.entries(read(stored)).filter(([id]) => !changed.has(id))),
    )
  })

  async function test({ id }: LocationDefinition, signal: AbortSignal): Promise<void> {
    const location = await locations.open(id)
    try {
      await location.test(AbortSignal.any([signal, AbortSignal.timeout(LIMIT)]))
    } catch (error) {
      // A timeout. If the client disconnected, this error is not sent.
      if (error instanceof RestError) throw error
      throw locationError(location.title, { reason: 'The server did not respond.', temporary: true })
    } finally {
      await location.close()
    }
  }

  return {
    latest: () => read(options.get(OPTION)),
    async run(location, signal) {
      const tested = settings.get()
      const remember = async (error: string | null) => {
        // The result says nothing about settings that were changed meanwhile, nor does a test that was not completed.
        if (signal.aborted || settings.get() !== tested || !location.isConfigured()) return
        const result = { date: new Date().toISOString(), error }
        await options.modify(OPTION, (stored) => ({ ...read(stored), [location.id]: result }))
      }
      try {
        await test(location, signal)
      } catch (error) {
        await remember(error instanceof Error ? error.message : String(error))
        throw error
      }
      await remember(null)
    },
  }
}
