import { z } from 'zod'

/** Address of the public registry of npm. */
export const NPM = 'https://registry.npmjs.org'

const address = z
  .url({ protocol: /^https?$/, error: 'It must be a URL, such as https://registry.npmjs.org.' })
  .max(500)
  .transform((url) => url.replace(/\/+$/, ''))

/** The settings record `extension_packages`: where extensions are installed from. */
export const packageSettings = z.object({
  registry: address.default(NPM).meta({
    title: 'Registry',
    description:
      'The npm-compatible registry that extensions are installed from. Only this server may have a private IP address.',
  }),
  registryToken: z
    .string()
    .max(2000)
    .default('')
    .meta({
      title: 'Access token',
      description: 'Only for a registry that requires a login.',
      secret: true,
      boundTo: ['registry'],
    }),
  advisoryDatabase: z.literal('').or(address).default('').meta({
    title: 'Advisory database',
    description:
      'URL of a vulnerability database with the OSV API, such as https://api.osv.dev. It receives the names and versions of packages. If empty, extensions are not checked for vulnerabilities.',
  }),
  sigstoreRoot: z
    .string()
    .max(200_000)
    .refine((text) => text === '' || isJsonObject(text), 'Enter the contents of trusted_root.json.')
    .default('')
    .meta({
      title: 'Sigstore trusted root',
      description:
        'The contents of trusted_root.json, for packages whose provenance is signed with a private Sigstore instance. If empty, the public instance is used.',
    }),
  releaseDelayHours: z.int().min(0).max(720).default(48).meta({
    title: 'Release delay',
    description:
      'Hours after publication before a new version can be installed. Malicious releases are usually discovered within this time. 0 disables the delay.',
  }),
})

export type PackageSettings = z.output<typeof packageSettings>

function isJsonObject(text: string): boolean {
  try {
    return z.looseObject({}).safeParse(JSON.parse(text)).success
  } catch {
    return false
  }
}
