import { createHost } from 'pentad/host'
import guestbook from './guestbook.ts'

/** The host without the CMS: its own folder, users, settings and routes; no posts, no pages, no admin. */
export async function startGuestbook(siteDir: string, port: number): Promise<Awaited<ReturnType<typeof createHost>>> {
  const host = await createHost({ siteDir, port }, { extensions: [guestbook] })
  const editor = await host.auth.users.getByLogin('editor')
  if (!editor) await host.auth.users.create({ login: 'editor', email: 'editor@example.org', roles: ['editor'] })
  host.hooks.addFilter('guestbook_entry', (entry) => ({ ...entry, text: entry.text.trim() }))
  await host.listen()
  return host
}

if (import.meta.main) {
  const { config } = await startGuestbook(process.argv[2] ?? 'guestbook', Number(process.argv[3] ?? 8080))
  process.stdout.write(`${config.url}/wp-json/guestbook/v1/entries\n`)
}
