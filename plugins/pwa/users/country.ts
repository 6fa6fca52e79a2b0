import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { CountryResponse } from 'mmdb-lib'
import { isPublicAddress } from 'pentad'
import { z } from 'zod'

/** Registries and networks by country, from the regional internet registries. */
const DATABASE = '@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb'

/** The package's own record, where MaxMind's has `country.iso_code`. */
const recordSchema = z.object({ country_code: z.string() })

/** Tells the country of an address without asking anybody. */
export interface Countries {
  /** ISO 3166-1 code of two letters; empty where it is not known. */
  of(address: string): Promise<string>
}

export function createCountries(): Countries {
  let opening: ReturnType<typeof open> | undefined

  /** It takes some megabytes and is read when the first visitor is counted. */
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

/** The code if it is one, and a country's: XX is what proxies send for unknown, T1 for Tor. */
export function countryCode(text: unknown): string {
  return typeof text === 'string' && /^[A-Z]{2}$/i.test(text) && text.toUpperCase() !== 'XX' ? text.toUpperCase() : ''
}
