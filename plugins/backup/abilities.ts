import { asCaller, type ExtensionHost } from 'pentad'
import { z } from 'zod'

const backups = z.object({
  items: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      kind: z.string(),
      date: z.string(),
      size: z.int().describe('Size in bytes.'),
      location: z.string(),
    }),
  ),
  total: z.int(),
})

/** Abilities for models and agents: list backups and create one. Restoring is reserved for people. */
export function registerAbilities({ abilities, rest }: Pick<ExtensionHost, 'abilities' | 'rest'>): void {
  const common = { category: 'backup', permission: 'manage_options' } as const
  abilities.registerCategory({
    slug: 'backup',
    label: 'Backup',
    description: 'Backups of the site: database and files.',
  })

  abilities.register({
    ...common,
    name: 'backup/list-backups',
    label: 'List backups',
    description: 'Lists the backups of the site, newest first.',
    input: z.object({ page: z.int().min(1).default(1), perPage: z.int().min(1).max(100).default(20) }),
    output: backups,
    readonly: true,
    async execute(input, caller) {
      const response = await asCaller(rest, caller).read('/backup/v1/backup/fetch', input)
      return z.object({ data: backups }).parse(response).data
    },
  })

  abilities.register({
    ...common,
    name: 'backup/create-backup',
    label: 'Create a backup',
    description: 'Starts a full backup of the site in the background.',
    input: z.object({ title: z.string().trim().min(1).max(200).default('Backup') }),
    output: z.object({ jobId: z.string() }),
    readonly: false,
    async execute({ title }, caller) {
      const response = await asCaller(rest, caller).write('POST', '/backup/v1/backup/create', { title })
      return z.object({ data: z.object({ jobId: z.string() }) }).parse(response).data
    },
    preview: ({ title }) => ({
      target: { type: 'backup', id: null, title },
      summary: `Create a full backup of the site, titled “${title}”.`,
      before: null,
      after: { title },
    }),
  })
}
