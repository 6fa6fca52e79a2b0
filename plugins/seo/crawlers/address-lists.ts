import { BlockList, isIP } from 'node:net'
import { type ExtensionHost, fromGmt, isPublicAddress, toGmt } from 'pentad'
import { z } from 'zod'
import type { VisitDatabase } from '../visits/tables.ts'
import { ADDRESS_LISTS } from './known-crawlers.ts'
import { fetchPublicJson } from './public-json.ts'
import { SHIPPED_ADDRESSES } from './shipped-addresses.ts'

/** Time before a list is fetched again, and before a retry after a failure, in ms. */
const FRESH = 24 * 60 * 60 * 1000
const TRY_AGAIN = 60 * 60 * 1000
/** Interval at which lists fetched by other processes are read, in ms. */
const LOOK_AGAIN = 60 * 1000

/** Maximum number of ranges of a list, and the widest accepted prefixes: a wrong list must not verify every address. */
const MOST_RANGES = 5000
const WIDEST = { 4: 12, 6: 28 }

const LEASE = 60_000

/** The JSON format that Google introduced and other operators adopted. */
const publishedSchema = z.object({
  prefixes: z
    .array(z.object({ ipv4Prefix: z.string().optional(), ipv6Prefix: z.string().optional() }))
    .max(MOST_RANGES),
})

const storedSchema = z.array(z.string())

/** IP lists that operators publish for their crawlers. */
export interface AddressLists {
  /**
   * Whether an address is in the list published at a URL. `outside` only for a list that was fetched, since a shipped
   * list may be out of date.
   */
  standing(list: string, address: string): 'inside' | 'outside' | 'unknown'
  /** Checks for newer lists and fetches expired ones in the background. */
  freshen(): Promise<void>
}

interface List {
  readonly ranges: BlockList
  readonly fetchedAt: number | undefined
}

export function createAddressLists(
  host: Pick<ExtensionHost, 'fetch' | 'jobs' | 'log' | 'signal'>,
  db: VisitDatabase,
): AddressLists {
  const lists = new Map<string, List>()
  for (const [url, ranges] of Object.entries(SHIPPED_ADDRESSES)) {
    lists.set(url, { ranges: toBlockList(ranges), fetchedAt: undefined })
  }
  let lookedAt = 0
  const tried = new Map<string, number>()
  let fetching: Promise<void> | undefined

  async function readStored(): Promise<void> {
    const rows = await db.selectFrom('seo_crawler_addresses').selectAll().execute()
    for (const { url, ranges, fetched_gmt } of rows) {
      const fetchedAt = Date.parse(fromGmt(fetched_gmt))
      if (lists.get(url)?.fetchedAt === fetchedAt) continue
      lists.set(url, { ranges: toBlockList(storedSchema.parse(JSON.parse(ranges))), fetchedAt })
    }
  }

  function isDue(url: string): boolean {
    const now = Date.now()
    return (lists.get(url)?.fetchedAt ?? 0) + FRESH < now && (tried.get(url) ?? 0) + TRY_AGAIN < now
  }

  async function fetchList(url: string): Promise<void> {
    tried.set(url, Date.now())
    try {
      const ranges = rangesOf(await fetchPublicJson(host, url))
      const row = { ranges: JSON.stringify(ranges), fetched_gmt: toGmt(Date.now()) }
      await db
        .insertInto('seo_crawler_addresses')
        .values({ url, ...row })
        .onConflict((conflict) => conflict.column('url').doUpdateSet(row))
        .execute()
    } catch (error) {
      // The current list stays in use.
      if (!host.signal.aborted) host.log.warn({ err: error, list: url }, 'crawler IP list fetch failed')
    }
  }

  async function fetchDue(due: readonly string[]): Promise<void> {
    await host.jobs.withLease('seo-crawler-addresses', LEASE, async () => {
      await readStored()
      for (const url of due.filter(isDue)) await fetchList(url)
    })
    await readStored()
  }

  return {
    standing(list, address) {
      const known = lists.get(list)
      if (!known) return 'unknown'
      if (known.ranges.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')) return 'inside'
      return known.fetchedAt === undefined ? 'unknown' : 'outside'
    },

    async freshen() {
      if (lookedAt + LOOK_AGAIN < Date.now()) {
        lookedAt = Date.now()
        await readStored()
      }
      const due = ADDRESS_LISTS.filter(isDue)
      if (due.length === 0 || fetching) return
      fetching = fetchDue(due)
        .catch((error) => {
          if (!host.signal.aborted) host.log.warn({ err: error }, 'crawler IP list refresh failed')
        })
        .finally(() => {
          fetching = undefined
        })
    },
  }
}

/** The ranges of a published list. @throws Error if it is not a list, is empty, or contains implausible ranges */
function rangesOf(published: unknown): string[] {
  const { prefixes } = publishedSchema.parse(published)
  const ranges = prefixes.flatMap(({ ipv4Prefix, ipv6Prefix }) => [ipv4Prefix ?? [], ipv6Prefix ?? []].flat())
  if (ranges.length === 0) throw new Error('The list is empty.')
  for (const range of ranges) {
    const [network = '', prefix = ''] = range.split('/')
    const family = isIP(network)
    const bits = Number(prefix)
    if (family !== 4 && family !== 6) throw new Error(`${range} is not an IP range.`)
    const isNarrow = /^\d{1,3}$/.test(prefix) && bits >= WIDEST[family] && bits <= (family === 4 ? 32 : 128)
    if (!isNarrow || !isPublicAddress(network))
      throw new Error(`${range} is too large or too private to belong to a crawler.`)
  }
  return ranges
}

function toBlockList(ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [network = '', prefix] = range.split('/')
    list.addSubnet(network, Number(prefix), isIP(network) === 6 ? 'ipv6' : 'ipv4')
  }
  return list
}
