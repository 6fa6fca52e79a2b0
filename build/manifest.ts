import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { FOLDER, ROOT } from './places.ts'

/**
 * Packages that are installed with `pentad` and not bundled into it: those with native code or threads of their own, data
 * files, and what scripts for browsers are bundled from at run time.
 */
const INSTALLED = [
  '@ip-location-db/geo-whois-asn-country-mmdb',
  'esbuild',
  'lightningcss',
  'piscina',
  'sharp',
  'web-vitals',
  'workbox-background-sync',
  'workbox-cacheable-response',
  'workbox-expiration',
  'workbox-routing',
  'workbox-strategies',
]

/** Packages that an operator adds for what few sites use; neither installed nor bundled. In the project, they are development dependencies. */
const OPTIONAL = [
  '@ai-sdk/anthropic',
  '@ai-sdk/google',
  '@ai-sdk/openai',
  '@ai-sdk/openai-compatible',
  '@opentelemetry/core',
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-trace',
  'ai',
  'ioredis',
]

/** Packages whose types the declarations use; their code is bundled. */
const TYPES = ['@koa/router', '@types/koa', '@types/node', 'commander', 'htmlparser2', 'koa', 'kysely', 'pino', 'zod']

const versions = z.record(z.string(), z.string())
const projectFile = z.object({
  ...{ name: z.string(), version: z.string(), description: z.string(), license: z.string(), type: z.string() },
  // `undefined` is not written. npm attests the origin of a package only if this is the repository that built it.
  repository: z.unknown().optional(),
  ...{ engines: z.object({ node: z.string() }), dependencies: versions, devDependencies: versions },
})

/** Whether a package is bundled. @param specifier - As it is imported: `kysely/migration`. */
export function isBundled(specifier: string): boolean {
  if (/^(?:\.|node:|pentad(?:\/|$))/.test(specifier)) return false
  return ![...INSTALLED, ...OPTIONAL].some((name) => specifier === name || specifier.startsWith(`${name}/`))
}

/** The project's `package.json`. */
export async function readProject(): Promise<z.infer<typeof projectFile>> {
  return projectFile.parse(JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')))
}

/** Writes the `package.json` of the package, from that of the project. @throws Error if a package has no version there */
export async function writeManifest(): Promise<void> {
  const { dependencies, devDependencies, ...rest } = await readProject()
  const known = { ...devDependencies, ...dependencies }
  const versionsOf = (names: readonly string[]) =>
    Object.fromEntries(
      names.toSorted().map((name) => {
        const version = known[name]
        if (version === undefined) throw new Error(`package.json has no version of ${name}.`)
        return [name, version]
      }),
    )
  const manifest = {
    ...rest,
    bin: { pentad: 'cli/index.js' },
    exports: {
      '.': { types: './app/index.d.ts', default: './app/index.js' },
      './sandbox': { types: './app/sandbox.d.ts', default: './app/sandbox.js' },
      './host': { types: './core/host.d.ts', default: './core/host.js' },
      './cli': { types: './cli/public.d.ts', default: './cli/public.js' },
      './testing': { types: './app/testing/index.d.ts', default: './app/testing/index.js' },
      './package.json': './package.json',
    },
    dependencies: versionsOf([...INSTALLED, ...TYPES]),
    peerDependencies: versionsOf(OPTIONAL),
    peerDependenciesMeta: Object.fromEntries(OPTIONAL.map((name) => [name, { optional: true }])),
  }
  await writeFile(join(FOLDER, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}
