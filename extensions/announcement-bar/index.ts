import { defineExtension, success, successSchema } from 'pentad'
import { z } from 'zod'
import { barHtml, barStyle } from './bar.ts'
import { settingsSchema } from './settings.ts'

/** Option with the number of changes. */
const REVISION = 'announcement-bar_revision'

export default defineExtension({
  id: 'announcement-bar',
  name: 'Announcement bar',
  version: '1.0.0',
  description: 'Shows an announcement at the top of every page.',
  isolation: 'optional',
  permissions: {
    hooks: ['wp_head', 'wp_body_open'],
    // For the style element.
    unfilteredHtml: true,
    routes: ['manage_options'],
    settings: true,
    storage: 0.1,
  },
  setup({ hooks, rest, settings, options }) {
    const bar = settings.register(settingsSchema)

    hooks.addAction('wp_head', (output) => {
      if (bar.get().message) output.print(barStyle(bar.get()))
    })
    hooks.addAction('wp_body_open', (output) => {
      if (bar.get().message) output.print(barHtml(bar.get()))
    })
    hooks.addAction('announcement-bar_settings_update:after', () =>
      options.modify(REVISION, (revision) => Number(revision ?? 0) + 1),
    )

    rest.registerRoute('announcement-bar/v1', {
      method: 'GET',
      path: '/bar',
      access: 'manage_options',
      summary: 'Returns the announcement bar.',
      response: successSchema(settingsSchema.extend({ revision: z.int().describe('Number of changes.') })),
      handler: () => success({ ...bar.get(), revision: Number(options.get(REVISION) ?? 0) }),
    })
    rest.registerRoute('announcement-bar/v1', {
      method: 'PUT',
      path: '/bar',
      access: 'manage_options',
      summary: 'Updates the announcement bar.',
      input: z.object({
        message: settingsSchema.shape.message.unwrap(),
        linkUrl: settingsSchema.shape.linkUrl.optional(),
      }),
      response: successSchema(z.object({ updated: z.array(z.string()), unknown: z.array(z.string()) })),
      handler: async ({ input }) => success(await bar.update(input)),
    })
  },
})
