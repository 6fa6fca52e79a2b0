import { defineExtension, z } from 'pentad/host'

type Entry = { readonly name: string; readonly text: string }

declare module 'pentad/host' {
  interface Filters {
    /** An entry of the guest book, before it is stored. */
    guestbook_entry: [entry: Entry]
  }
}

export default defineExtension({
  id: 'guestbook',
  name: 'Guest book',
  version: '1.0.0',
  setup({ hooks, options, rest, settings }) {
    const own = settings.register(z.object({ longest: z.int().min(1).max(100).default(20) }))
    const entry = z.object({ name: z.string().min(1).max(100), text: z.string().min(1).max(1000) })
    const entries = () => z.array(entry).catch([]).parse(options.get('guestbook_entries'))

    rest.registerRoute('guestbook/v1', {
      method: 'GET',
      path: '/entries',
      access: 'public',
      response: z.array(entry),
      handler: entries,
    })
    rest.registerRoute('guestbook/v1', {
      method: 'POST',
      path: '/entries',
      access: 'edit_posts',
      input: entry,
      response: z.array(entry),
      async handler({ input }) {
        const added = hooks.applyFilters('guestbook_entry', input)
        await options.update('guestbook_entries', [added, ...entries()].slice(0, own.get().longest))
        return entries()
      },
    })
  },
})
