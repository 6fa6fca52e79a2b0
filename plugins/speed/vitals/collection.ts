import { join } from 'node:path'
import { type ExtensionHost, RestError } from 'pentad'
import { type Entry, type Journal, openJournal } from './journal.ts'
import type { MetricId } from './metrics.ts'
import { createSamples, type Place, type Samples } from './samples.ts'
import { numberOf } from './visitors.ts'

/** One metric of a report. */
export interface Measurement {
  readonly name: MetricId
  readonly value: number
  /** Of this measurement; later values of it take the place of earlier ones. */
  readonly id: string
}

/** What visitors have reported, kept across restarts. */
export interface Collection {
  /** Resolves once the measurements are kept. */
  add(page: Omit<Place, 'metric'>, measurements: readonly Measurement[], visitor: number): Promise<void>
  /** All of it; read from the file the first time that somebody asks. */
  samples(): Promise<Samples>
}

interface Opened {
  readonly samples: Samples
  readonly journal: Journal
}

/** Kept in `speed/web-vitals.ndjson` of the site folder, which is opened when it is first needed. */
export function createCollection({
  site,
  log,
  onDispose,
}: Pick<ExtensionHost, 'site' | 'log' | 'onDispose'>): Collection {
  let opened: Promise<Opened> | undefined

  async function read() {
    const samples = createSamples()
    return { samples, journal: await openJournal(join(site.dir, 'speed', 'web-vitals.ndjson'), samples, log) }
  }

  function open(): Promise<Opened> {
    opened ??= read().catch((error) => {
      opened = undefined
      log.error({ err: error }, 'the file of the web vitals cannot be opened')
      throw new RestError('web_vitals_unavailable', 'Web vitals cannot be kept at the moment.', { status: 503 })
    })
    return opened
  }

  onDispose(async () => (await opened?.catch(() => undefined))?.journal.close())

  return {
    async add({ group, device }, measurements, visitor) {
      const { samples, journal } = await open()
      const entries: Entry[] = []
      for (const { name, value, id } of measurements) {
        const entry = { group, device, metric: name, value, id: numberOf(id) }
        const instead = samples.add(entry, { ...entry, address: visitor })
        entries.push({ ...entry, instead })
      }
      // A full disk must not keep visitors waiting or count as a fault of the page.
      await journal.write(entries).catch((error) => log.warn({ err: error }, 'web vitals could not be kept'))
    },
    samples: async () => (await open()).samples,
  }
}
