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
  /** Id of this measurement; later values replace earlier ones. */
  readonly id: string
}

/** Reported measurements, persisted across restarts. */
export interface Collection {
  /** Resolves once the measurements are stored. */
  add(page: Omit<Place, 'metric'>, measurements: readonly Measurement[], visitor: number): Promise<void>
  /** All samples; loaded from the file on first use. */
  samples(): Promise<Samples>
}

interface Opened {
  readonly samples: Samples
  readonly journal: Journal
}

/** Stored in `speed/web-vitals.ndjson` in the site folder, opened on first use. */
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
      log.error({ err: error }, 'web vitals file could not be opened')
      throw new RestError('web_vitals_unavailable', 'Web Vitals cannot be stored at the moment. Try again later.', {
        status: 503,
      })
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
      // A full disk must not affect visitors or the page.
      await journal.write(entries).catch((error) => log.warn({ err: error }, 'web vitals could not be stored'))
    },
    samples: async () => (await open()).samples,
  }
}
