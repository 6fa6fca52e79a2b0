import { z } from 'zod'
import type { Hooks } from '../hooks/types.ts'
import type { SiteInfo } from '../options/site-info.ts'
import type { PathEntry, Registry } from './registry.ts'
import type { Route } from './types.ts'

/** Site information in the index. */
export type SiteDescription = Pick<SiteInfo, 'title' | 'description' | 'timezone'>

export interface Descriptions {
  /** Describes a route: the response to OPTIONS, and its entry in the index. */
  entry(entry: PathEntry): Record<string, unknown>
  /** `GET /` */
  readonly index: Route
  /** `GET /<namespace>` */
  namespaceIndex(namespace: string): Route
}

const routesShape = z
  .record(
    z.string(),
    z.looseObject({
      namespace: z.string(),
      methods: z.array(z.string()),
      endpoints: z.array(z.looseObject({ methods: z.array(z.string()), args: z.record(z.string(), z.unknown()) })),
    }),
  )
  .meta({ id: 'Routes' })
const indexShape = z.looseObject({
  ...{ name: z.string(), description: z.string(), url: z.string(), home: z.string(), gmt_offset: z.string() },
  ...{ timezone_string: z.string(), namespaces: z.array(z.string()) },
  ...{ site_logo: z.int().optional(), site_icon: z.int().optional() },
  routes: routesShape,
})
const CONTEXT = z.unknown().default('view')

/** Describes the REST API in WordPress's format. */
export function createDescriptions(parts: {
  registry: () => Registry
  siteUrl: string
  url: (route: string) => string
  site: () => SiteDescription
  hooks: Pick<Hooks, 'applyFilters'>
}): Descriptions {
  const { url, siteUrl } = parts
  let cache: { version: string; routes: Map<string | undefined, Record<string, unknown>> } | undefined

  function entry({ namespace, pattern, endpoints }: PathEntry): Record<string, unknown> {
    const known = endpoints.filter(parts.registry().exists)
    return {
      namespace,
      methods: [...new Set(known.flatMap(({ methods }) => methods))],
      endpoints: known.map(({ methods, batch, parameters, route }) => ({
        methods,
        ...(route.summary === undefined ? {} : { summary: route.summary }),
        ...(batch ? { allow_batch: { v1: true } } : {}),
        args: parameters.args,
      })),
      // As in WordPress, a path with captures has no `_links`.
      ...(pattern.names.length === 0 ? { _links: { self: [{ href: url(pattern.template) }] } } : {}),
    }
  }

  /** All routes, or those of a namespace. Cached until routes or the license change. */
  function routes(namespace?: string): Record<string, unknown> {
    const registry = parts.registry()
    if (cache?.version !== registry.version) cache = { version: registry.version, routes: new Map() }
    let described = cache.routes.get(namespace)
    if (!described) {
      described = Object.fromEntries(registry.entries(namespace).map((each) => [each.pattern.wordpress, entry(each)]))
      cache.routes.set(namespace, described)
    }
    return described
  }

  return {
    entry,
    index: {
      method: 'GET',
      path: '/',
      access: 'public',
      summary: 'Returns information about the site and its routes.',
      input: z.object({ context: CONTEXT }),
      response: indexShape,
      handler: () => {
        const { title, description, timezone } = parts.site()
        return parts.hooks.applyFilters('rest_index', {
          name: title,
          description,
          url: siteUrl,
          home: siteUrl,
          // A string, as in WordPress.
          gmt_offset: String(offsetHours(timezone)),
          timezone_string: timezone,
          namespaces: parts.registry().namespaces(),
          authentication: { 'application-passwords': { endpoints: {} } },
          routes: routes(),
          _links: { help: [{ href: 'https://developer.wordpress.org/rest-api/' }] },
        })
      },
    },
    namespaceIndex: (namespace) => ({
      method: 'GET',
      path: '/',
      access: 'public',
      summary: 'Returns the routes of this namespace.',
      input: z.object({ namespace: z.unknown().default(namespace), context: CONTEXT }),
      response: z.looseObject({ namespace: z.string(), routes: routesShape }),
      handler: () => ({ namespace, routes: routes(namespace), _links: { up: [{ href: url('/') }] } }),
    }),
  }
}

/** Current UTC offset of a time zone in hours; 0 if it is unknown. */
function offsetHours(timezone: string): number {
  try {
    const parts = new Intl.DateTimeFormat('en', { timeZone: timezone, timeZoneName: 'longOffset' }).formatToParts()
    const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
    const [, sign, hours, minutes] = /GMT([+-])(\d{2}):(\d{2})/.exec(name) ?? []
    return sign ? (sign === '-' ? -1 : 1) * (Number(hours) + Number(minutes) / 60) : 0
  } catch {
    return 0
  }
}
