import { defineExtension, success, successAnswer } from 'pentad'
import { z } from 'zod'
import { barHtml, barStyle } from './bar.ts'
import { settingsSchema } from './settings.ts'

/** The option that counts how often the bar was changed. */
const REVISION = 'announcement-bar_revision'

export default defineExtension({
  id: 'announcement-bar',
  name: 'Announcement bar',
  version: '1.0.0',
  description: 'Shows one line on top of every page.',
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
      summary: 'The bar as it is now.',
      answer: successAnswer(settingsSchema.extend({ revision: z.int().describe('How often it was changed.') })),
      handler: () => success({ ...bar.get(), revision: Number(options.get(REVISION) ?? 0) }),
    })
    rest.registerRoute('announcement-bar/v1', {
      method: 'PUT',
      path: '/bar',
      access: 'manage_options',
      summary: 'Sets the message.',
      input: z.object({
        message: settingsSchema.shape.message.unwrap(),
        linkUrl: settingsSchema.shape.linkUrl.optional(),
      }),
      answer: successAnswer(z.object({ updated: z.array(z.string()), unknown: z.array(z.string()) })),
      handler: async ({ input }) => success(await bar.update(input)),
    })
  },
})
