import { release } from 'node:os'
import { z } from 'zod'
import type { JoiningHost } from '../../core/types.ts'
import packageJson from '../../package.json' with { type: 'json' }

const MEGABYTE = 1024 * 1024

/** Configuration that contains no secret and no address of another server. */
const SAFE_SETTINGS = [
  ...(['url', 'host', 'port', 'environment', 'pageCache', 'disallowFileMods', 'maxUpload'] as const),
  ...(['clientTimeout', 'stallLimitSeconds', 'memoryLimitMegabytes', 'logLevel'] as const),
]

const theme = z.object({ theme: z.string() }).catch({ theme: 'default' })

/** What support asks for, as names and values by section. */
export async function readSiteInfo({
  config,
  database,
  extensions,
  options,
}: Pick<JoiningHost, 'config' | 'database' | 'extensions' | 'options'>): Promise<
  Record<string, Record<string, string>>
> {
  const { rss, heapUsed } = process.memoryUsage()
  const active = extensions.list().filter(({ state }) => state !== 'inactive')
  return {
    Server: {
      'Pentad version': packageJson.version,
      'Node.js version': process.versions.node,
      'Operating system': `${process.platform} ${release()} (${process.arch})`,
      Database: database.kind === 'sqlite' ? `SQLite ${process.versions.sqlite}` : 'PostgreSQL',
      Memory: `${Math.round(rss / MEGABYTE)} MB, heap ${Math.round(heapUsed / MEGABYTE)} MB`,
      Uptime: `${Math.round(process.uptime())} seconds`,
    },
    Configuration: {
      ...Object.fromEntries(SAFE_SETTINGS.map((name) => [name, String(config[name] ?? 'default')])),
      trustedProxies: `${config.trustedProxies.length} configured`,
      smtpUrl: config.smtpUrl === undefined ? 'not set' : 'set',
    },
    Appearance: { Theme: theme.parse(options.get('host_settings')).theme },
    Extensions: Object.fromEntries(active.map(({ id, version, state }) => [id, `${version}, ${state}`])),
  }
}
