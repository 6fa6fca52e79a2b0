import type { ExtensionView } from '../core/extensions/context.ts'
import { serviceView } from '../core/extensions/service-view.ts'
import { assertOwnZod } from '../core/extensions/zod-version.ts'
import type { AbilitiesRegistry } from './abilities/index.ts'
import { trackAbility } from './abilities/track-ability.ts'
import type { Abilities } from './abilities/types.ts'
import { type AdminPages, checkPage, pathOfPage } from './admin/pages.ts'
import type { Admin } from './admin/types.ts'
import { registerBlockType } from './content/blocks/register.ts'
import { addShortcode } from './content/render/shortcodes.ts'
import type { Content } from './content/types.ts'
import type { Mail } from './mail/types.ts'
import { type Conditionals, conditionals } from './site/conditionals.ts'
import { addOembedProvider } from './site/embeds/providers.ts'
import type { TextsFor } from './text/translations.ts'

declare module '../core/extensions/types.ts' {
  interface ExtensionHost extends Conditionals {
    readonly content: Content
    /** The screens below `/wp-admin/`. */
    readonly admin: Admin
    /** Abilities: actions for models, browser agents and MCP clients. */
    readonly abilities: Abilities
    readonly mail: Mail
    /**
     * The texts of Pentad and its services, in the language of the site or of a user. Extensions have their own with `__`.
     *
     * @example
     * ```ts
     * import { defineExtension } from 'pentad'
     *
     * export default defineExtension({
     *   id: 'home-link',
     *   name: 'Home link',
     *   version: '1.0.0',
     *   setup({ hooks, textsFor }) {
     *     hooks.addAction('wp_footer', async (output) => {
     *       const { esc_html__ } = await textsFor()
     *       output.print(`<a href="/">${esc_html__('Home')}</a>`)
     *     })
     *   },
     * })
     * ```
     */
    readonly textsFor: TextsFor
  }
}

/** The members of `host` for content, the public site, the admin, mail and texts. */
export function cmsView(parts: {
  readonly content: Content
  readonly abilities: AbilitiesRegistry
  readonly adminPages: AdminPages
  readonly mail: Mail
  readonly textsFor: TextsFor
}): ExtensionView {
  const { content } = parts
  return ({ id, hooks, owner, inFlight, declare, list }) => ({
    ...conditionals,
    mail: serviceView(parts.mail),
    textsFor: parts.textsFor,
    content: serviceView(content, {
      registerPostType: (type) => declare(() => content.registerPostType(type)),
      registerTaxonomy: (taxonomy) => declare(() => content.registerTaxonomy(taxonomy)),
      registerMeta: (...meta) => declare(() => content.registerMeta(...meta)),
      addShortcode: (...shortcode) => addShortcode(hooks, ...shortcode),
      registerBlockType: (...blockType) => registerBlockType(hooks, ...blockType),
      addOembedProvider: (...provider) => addOembedProvider(hooks, ...provider),
    }),
    abilities: serviceView<Abilities>(parts.abilities, {
      register(ability) {
        assertOwnZod(ability, `the ability ${ability.name}`)
        // Created here for its stack: it is registered when the extension goes live, outside of its code.
        const added = new Error('Registered here.')
        const undo = declare(() => parts.abilities.register(trackAbility(ability, inFlight, added), owner, added))
        return list('abilities', ability.name, undo)
      },
      registerCategory: (category) => declare(() => parts.abilities.registerCategory(category)),
    }),
    admin: {
      addPage(page) {
        const checked = checkPage(id, page)
        return list(
          'pages',
          pathOfPage(id, checked.slug),
          declare(() => parts.adminPages.add(id, checked)),
        )
      },
    },
  })
}
