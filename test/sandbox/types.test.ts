import { equal } from 'node:assert/strict'
import { defineExtension } from 'pentad'
import { z } from 'zod'

const identity = { id: 'typed', name: 'Typed', version: '1.0.0', isolation: 'sandbox' } as const

/** Checked by the compiler: what a sandbox cannot do is an error. */
describe('the types of a sandboxed extension', () => {
  it('allow the hooks and routes of its manifest only', () => {
    const definition = defineExtension({
      ...identity,
      permissions: { hooks: ['the_content', 'save_post'], routes: ['public'] },
      setup({ hooks, rest }) {
        hooks.addFilter('the_content', async (html, post) => `${html}${post.slug}`)
        hooks.addAction('save_post', (id, post, isUpdate) => void [id, post.title, isUpdate])
        hooks.addAction('typed_settings_update:after', () => {})
        // @ts-expect-error not in the manifest
        hooks.addFilter('the_excerpt', (html) => html)
        // @ts-expect-error not in the manifest
        hooks.doAction('purge_pages', { tags: ['post-1'] })
        // @ts-expect-error synchronous
        hooks.addFilter('the_title', (title) => title)
        // @ts-expect-error a filter of text returns text
        hooks.addFilter('the_content', () => 7)
        // @ts-expect-error no sandbox receives passwords
        hooks.addFilter('the_content', (html, post) => html + post.password)
        const input = z.object({ id: z.int() })
        rest.registerRoute('typed/v1', {
          method: 'GET',
          path: '/a',
          access: 'public',
          input,
          handler: (asked) => asked.input.id,
        })
        // @ts-expect-error not in the manifest
        rest.registerRoute('typed/v1', { method: 'GET', path: '/b', access: 'manage_options', handler: () => 1 })
      },
    })
    equal(definition.id, 'typed')
  })

  it('lack what a sandbox has not', () => {
    defineExtension({
      ...identity,
      setup(host) {
        // @ts-expect-error no database
        equal(host.database, undefined)
        // @ts-expect-error no files
        equal(host.site.dir, undefined)
        // @ts-expect-error no styles and scripts on pages
        equal(host.assets, undefined)
        // @ts-expect-error no users, passwords, and nonces
        equal(host.auth, undefined)
        // @ts-expect-error no keys
        equal(host.vault, undefined)
        equal(host.__('Text', 'typed'), 'Text')
      },
    })
    // @ts-expect-error the_title is synchronous
    defineExtension({ ...identity, permissions: { hooks: ['the_title'] }, setup() {} })
  })
})
