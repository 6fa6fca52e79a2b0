import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { CountryResponse } from 'mmdb-lib'
import { isPublicAddress } from 'pentad'
import { z } from 'zod'

/** Country by network, from the regional internet registries. */
const DATABASE = '@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb'

/** Record format of this database. MaxMind's uses `country.iso_code`. */
const recordSchema = z.object({ country_code: z.string() })

/** Offline GeoIP lookup. */
export interface Countries {
  /** ISO 3166-1 alpha-2 code; empty if unknown. */
  of(address: string): Promise<string>
}

export function createCountries(): Countries {
  let opening: ReturnType<typeof open> | undefined

  /** Loaded on first use because it takes several megabytes. */
  async function open() {
    const { Reader } = await import('mmdb-lib')
    const file = createRequire(import.meta.url).resolve(DATABASE)
    return new Reader<CountryResponse>(await readFile(file))
  }

  return {
    async of(address) {
      if (!isPublicAddress(address)) return ''
      opening ??= open().catch((error) => {
        opening = undefined
        throw error
      })
      return countryCode(recordSchema.safeParse((await opening).get(address)).data?.country_code)
    },
  }
}

/** Normalizes a country code; empty if it is invalid. Proxies send XX for unknown and T1 for Tor. */
export function countryCode(text: unknown): string {
  return typeof text === 'string' && /^[A-Z]{2}$/i.test(text) && text.toUpperCase() !== 'XX' ? text.toUpperCase() : ''
}
