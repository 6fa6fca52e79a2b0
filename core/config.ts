import { existsSync, readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import { z } from 'zod'

const PORT = 'Invalid input: expected a whole number from 0 to 65535'

/** Process configuration, by precedence: given in code, environment, `config.json` in the site folder, default. */
const configSchema = z.object({
  /** Folder that contains the entire site; it can be copied, backed up and deleted. */
  siteDir: z.string().min(1),
  /** Public origin of the site, without a trailing slash. Default: `http://<host>:<port>`. */
  url: z
    .url({ protocol: /^https?$/ })
    .transform((url) => url.replace(/\/+$/, ''))
    .optional(),
  host: z.string().refine(isHost, 'Invalid input: expected a host name or an IP address').default('127.0.0.1'),
  port: z.coerce.number(PORT).int(PORT).min(0, PORT).max(65535, PORT).default(8080),
  /** `postgres://…`; the default is SQLite in the site folder. */
  databaseUrl: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  /** Bucket for uploads, `s3://…`; the default is the site folder. */
  storageUrl: z.url({ protocol: /^s3(\+http)?$/ }).optional(),
  /** Redis or Valkey for rate limits, `redis://…`; the default is PostgreSQL, or memory with SQLite. */
  rateLimitUrl: z.url({ protocol: /^rediss?$/ }).optional(),
  /** `many`: other machines serve the site too, each with a site folder of its own. */
  nodes: z.enum(['one', 'many']).default('one'),
  /** The site key, 32 bytes in base64url, or a file that contains it; by default `secret.key` in the site folder. */
  secretKey: z
    .string()
    .regex(/^[\w-]{43}$/, 'Invalid input: expected 32 bytes in base64url')
    .optional(),
  secretKeyFile: z.string().min(1).optional(),
  adminUser: z.string().min(1).default('admin'),
  /** Password of the first administrator; without it, one is generated and printed once. */
  adminPassword: z.string().min(8).optional(),
  adminEmail: z.email().default('admin@example.org'),
  /** `smtp://user:password@host:port`; without it, mail is stored as files. */
  smtpUrl: z.url({ protocol: /^smtps?$/ }).optional(),
  pageCache: z.enum(['on', 'off']).default('on'),
  environment: z.enum(['local', 'production']).default('local'),
  /** Forbids every change of code over HTTP, like WordPress's `DISALLOW_FILE_MODS`. */
  disallowFileMods: z.union([z.boolean(), z.stringbool()]).default(false),
  /** Addresses or CIDR ranges of proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` are trusted. */
  trustedProxies: z
    .union([z.array(z.string()), z.string().transform((list) => list.split(',').map((entry) => entry.trim()))])
    .transform((list) => list.filter((entry) => entry !== ''))
    .default([]),
  /** Maximum size of an uploaded file in bytes; default 64 MiB. */
  maxUpload: z.coerce.number().int().min(1).default(67_108_864),
  /** Seconds after which a client that does not read its response is disconnected. */
  clientTimeout: z.coerce.number().min(0.1).max(86_400).default(120),
  /** An additional folder of extensions, after those of the project and the site. */
  extensionsDir: z.string().min(1).optional(),
  /**
   * Seconds for which code may block the event loop before `pentad start` ends the process; 0 for no limit. The limit for code of the
   * product is six times as long.
   */
  stallLimitSeconds: z.coerce.number().min(0).max(3600).default(10),
  /** Memory limit of the process in MiB, including Buffers; default: the limit of the container or the machine. */
  memoryLimitMegabytes: z.coerce.number().int().min(64).optional(),
  licenseKey: z.string().min(1).optional(),
  /** Ed25519 public key: PEM, or base64url of its 32 raw bytes. */
  licensePublicKey: z.string().min(1).optional(),
  logLevel: z.enum(['silent', 'error', 'warn', 'info', 'debug']).default('info'),
  /** Bearer token for `GET /host/v1/metrics`; without it, nothing is measured. */
  metricsToken: z.string().min(16).optional(),
})

const partialSchema = configSchema.partial()
export type Config = z.output<typeof configSchema> & { readonly url: string }
export type ConfigInput = Partial<z.input<typeof configSchema>>

/** One source of settings. Its values may be secret, so error messages contain only names, from `nameOf`. */
interface Source {
  readonly values: Readonly<Record<string, unknown>>
  readonly nameOf: (key: string) => string
}

/**
 * Reads the configuration of the process: `site/config.json`, overridden by `PENTAD_…` environment variables, overridden by
 * `overrides`. An invalid value is an error even if another source overrides it.
 *
 * @throws Error that lists every invalid value and its source.
 */
export function loadConfig(overrides: ConfigInput = {}, environment: NodeJS.ProcessEnv = process.env): Config {
  const { config, problems } = readConfig(overrides, environment)
  if (problems.length > 0) throw new Error(`Invalid configuration:\n  ${problems.join('\n  ')}`)
  return config
}

/** Like `loadConfig`, but without invalid values, which are described in `problems`. */
export function readConfig(overrides: ConfigInput, environment: NodeJS.ProcessEnv) {
  const fromEnvironment = readEnvironment(environment)
  const siteDir = resolve(overrides.siteDir ?? fromEnvironment.siteDir ?? 'site')
  const file = configFile(siteDir)
  const { values: fromFile, problem } = readFile(file)
  const sources: Source[] = [
    { values: fromFile, nameOf: () => file },
    { values: fromEnvironment, nameOf: variableOf },
    { values: { ...overrides }, nameOf: (key) => `the ${key} option` },
  ]
  const issues = sources.flatMap(findIssues)
  const without = Object.fromEntries(issues.map(({ key }) => [key, undefined]))
  const config = configSchema.parse({ ...fromFile, ...fromEnvironment, ...overrides, ...without, siteDir })
  const problems = [...(problem === undefined ? [] : [problem]), ...issues.map(({ text }) => text)]
  return { config: { ...config, url: config.url ?? originOf(config.host, config.port) } satisfies Config, problems }
}

function findIssues({ values, nameOf }: Source): { key: string; text: string }[] {
  const { error } = partialSchema.safeParse(values, { jitless: true })
  const issues = (error?.issues ?? []).map(({ path, message }) => ({ path, message, key: String(path[0]) }))
  return issues.map(({ path, message, key }) => ({ key, text: `${path.join('.')} (${nameOf(key)}): ${message}` }))
}

/** Names of the environment variables that are read. */
export const CONFIG_VARIABLES: readonly string[] = Object.keys(configSchema.shape).map(variableOf)

/** Warnings about settings that are allowed but probably not intended. */
export function configWarnings({ siteDir, extensionsDir }: Pick<Config, 'siteDir' | 'extensionsDir'>): string[] {
  const file = configFile(siteDir)
  const unknown = Object.keys(readFile(file).values).filter(
    (key) => key === 'siteDir' || !Object.hasOwn(configSchema.shape, key),
  )
  return [
    ...unknown.map((key) => `${file}: the unknown setting "${key}" is ignored.`),
    ...(extensionsDir !== undefined && !existsSync(extensionsDir)
      ? [`The extensions folder ${extensionsDir} (PENTAD_EXTENSIONS_DIR or extensionsDir) does not exist.`]
      : []),
  ]
}

/** `http://127.0.0.1:8080`; an IPv6 address gets brackets (RFC 3986, 3.2.2) and loses its zone, which URLs do not have. */
export function originOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host.replace(/%.*$/, '')}]` : host}:${port}`
}

function isHost(host: string): boolean {
  return isIP(host) !== 0 || (/^[\w.-]+$/.test(host) && URL.canParse(originOf(host, 80)))
}

function configFile(siteDir: string): string {
  return join(siteDir, 'config.json')
}

/** `siteDir` → `PENTAD_SITE_DIR` */
function variableOf(key: string): string {
  return `PENTAD_${key.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`
}

function readEnvironment(environment: NodeJS.ProcessEnv): Record<string, string> {
  const given = Object.keys(configSchema.shape).map((key) => [key, environment[variableOf(key)]] as const)
  return Object.fromEntries(given.flatMap(([key, value]) => (value ? [[key, value]] : [])))
}

function readFile(path: string): { values: Record<string, unknown>; problem?: string } {
  if (!existsSync(path)) return { values: {} }
  try {
    return { values: z.record(z.string(), z.unknown()).parse(JSON.parse(readFileSync(path, 'utf8'))) }
  } catch (error) {
    return { values: {}, problem: `${path} is not a JSON object: ${error instanceof Error ? error.message : error}` }
  }
}
