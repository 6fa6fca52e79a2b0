import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { z } from 'zod'

/** Settings of the process, in the order of strength: given in code, environment, `config.json` of the site folder, default. */
const configSchema = z.object({
  /** Folder that holds the whole site; can be copied, backed up and thrown away. */
  siteDir: z.string().min(1),
  /** Public origin of the site, without a slash at the end. Default: `http://<host>:<port>`. */
  url: z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, '')),
  host: z.string().min(1).default('127.0.0.1'),
  port: z.coerce.number().int().min(0).max(65535).default(8080),
  /** `postgres://…`; default is SQLite in the site folder. */
  databaseUrl: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  adminUser: z.string().min(1).default('admin'),
  /** Password of the first administrator; without it one is made and printed once. */
  adminPassword: z.string().min(8).optional(),
  adminEmail: z.email().default('admin@example.org'),
  /** `smtp://user:password@host:port`; without it mail is kept as files. */
  smtpUrl: z.url({ protocol: /^smtps?$/ }).optional(),
  pageCache: z.enum(['on', 'off']).default('on'),
  environment: z.enum(['local', 'production']).default('local'),
  /** Addresses or CIDR ranges of proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` are believed. */
  trustedProxies: z
    .union([z.array(z.string()), z.string().transform((list) => list.split(',').map((entry) => entry.trim()))])
    .transform((list) => list.filter((entry) => entry !== ''))
    .default([]),
  /** A further folder of extensions, beside the project's own and the site's. */
  extensionsDir: z.string().min(1).optional(),
  licenseKey: z.string().min(1).optional(),
  /** PEM, or base64url of the 32 raw bytes of an Ed25519 public key. */
  licensePublicKey: z.string().min(1).optional(),
  logLevel: z.enum(['silent', 'error', 'warn', 'info', 'debug']).default('info'),
})

export type Config = z.output<typeof configSchema>
export type ConfigInput = Partial<z.input<typeof configSchema>>

/** `PENTAD_SITE_DIR` → `siteDir`, for every key of the schema. */
function readEnvironment(environment: NodeJS.ProcessEnv): Record<string, string> {
  const values: Record<string, string> = {}
  for (const key of Object.keys(configSchema.shape)) {
    const value = environment[`PENTAD_${key.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`]
    if (value !== undefined && value !== '') values[key] = value
  }
  return values
}

function readFile(path: string): Record<string, unknown> {
  if (!existsSync(path)) return {}
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch (error) {
    throw new Error(`${path} is not a JSON object: ${error instanceof Error ? error.message : error}`, { cause: error })
  }
}

/**
 * Reads the configuration of the process (contract 2): `site/config.json`, overridden by
 * `PENTAD_…` of the environment, overridden by `overrides`.
 *
 * @throws Error naming every value that is wrong and where to set it right.
 */
export function loadConfig(overrides: ConfigInput = {}, environment: NodeJS.ProcessEnv = process.env): Config {
  const fromEnvironment = readEnvironment(environment)
  const siteDir = resolve(overrides.siteDir ?? fromEnvironment.siteDir ?? 'site')
  const values: Record<string, unknown> = {
    ...readFile(join(siteDir, 'config.json')),
    ...fromEnvironment,
    ...overrides,
    siteDir,
  }
  values.url ??= `http://${values.host ?? '127.0.0.1'}:${values.port ?? 8080}`
  const parsed = configSchema.safeParse(values)
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`)
  throw new Error(
    `The configuration is wrong. Correct these in ${join(siteDir, 'config.json')} or the environment (PENTAD_…):\n${problems.join('\n')}`,
  )
}
