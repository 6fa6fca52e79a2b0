import { z } from 'zod'
import { escapeHtml } from '../../../core/http/escape-html.ts'
import type { ResponseOf } from '../../../core/rest/response-schemas.ts'
import type { AccessRequest, Rest, RestRequest } from '../../../core/rest/types.ts'
import { editsSomething } from '../../content/routes/edits-something.ts'
import { accessDenied, notFound } from '../../content/routes/errors.ts'
import { link } from '../../content/routes/links.ts'
import { NAMESPACE } from '../../content/routes/parts.ts'
import { FORMATS } from '../../content/routes/posts/write-parameters.ts'
import { linksShape } from '../../content/routes/response-shapes.ts'
import type { Content } from '../../content/types.ts'
import { readThemeHeader } from './header.ts'
import { listThemes } from './list.ts'
import { THEME_NAME, type Themes } from './theme.ts'

const STATUSES = ['active', 'inactive'] as const
const listSchema = z.object({
  status: z.array(z.enum(STATUSES)).optional().describe('Limit result set to themes assigned one or more statuses.'),
})
const itemSchema = z.object({ stylesheet: z.string().describe('Folder name of the theme.') })

const shownText = z.object({ raw: z.string(), rendered: z.string() })
const themeShape = z
  .looseObject({
    ...{ stylesheet: z.string(), template: z.string(), requires_php: z.string(), requires_wp: z.string() },
    ...{
      textdomain: z.string(),
      version: z.string(),
      screenshot: z.string(),
      author: shownText,
      author_uri: shownText,
    },
    ...{ description: shownText, is_block_theme: z.boolean(), name: shownText, theme_uri: shownText },
    tags: z.object({ raw: z.array(z.string()), rendered: z.string() }),
    status: z.enum(STATUSES),
    theme_supports: z.record(z.string(), z.union([z.boolean(), z.array(z.string())])).optional(),
    _links: linksShape.optional(),
  })
  .meta({ id: 'Themes' })

/** Features that themes support, named as in WordPress. */
const SUPPORTS = {
  'align-wide': false,
  'automatic-feed-links': true,
  'block-templates': false,
  'block-template-parts': false,
  'custom-background': false,
  'custom-header': false,
  'custom-logo': false,
  'customize-selective-refresh-widgets': false,
  'dark-editor-style': false,
  'disable-custom-colors': false,
  'disable-custom-font-sizes': false,
  'disable-custom-gradients': false,
  'disable-layout-styles': false,
  'editor-color-palette': false,
  'editor-font-sizes': false,
  'editor-gradient-presets': false,
  'editor-styles': false,
  html5: ['comment-form', 'comment-list', 'search-form', 'gallery', 'caption', 'style', 'script'],
  formats: FORMATS,
  'post-thumbnails': true,
  'responsive-embeds': true,
  'title-tag': true,
  'wp-block-styles': false,
}

interface Parts {
  readonly rest: Rest
  readonly content: Pick<Content, 'postTypes'>
  readonly themes: Themes
  /** Name of the active theme. */
  readonly active: () => string
}

/** `wp/v2/themes` and global styles for the block editor, in WordPress's format. */
export function registerWordPressThemeRoutes({ rest, content, themes, active }: Parts): void {
  const url = (route: string) => rest.url(`/${NAMESPACE}${route}`)

  /** WordPress's `check_read_active_theme_permission`: editors can read the active theme. */
  async function checkRead(request: RestRequest, isActiveOnly: boolean): Promise<void> {
    if (await request.can('switch_themes')) return
    if (!isActiveOnly)
      throw accessDenied(request.user, 'rest_cannot_view_themes', 'Sorry, you are not allowed to view themes.')
    if (await editsSomething(content, request)) return
    throw accessDenied(
      request.user,
      'rest_cannot_view_active_theme',
      'Sorry, you are not allowed to view the active theme.',
    )
  }

  async function prepare(name: string): Promise<ResponseOf<typeof themeShape>> {
    const header = await readThemeHeader(themes.folders(name))
    const isActive = name === active()
    const author = escapeHtml(header.author)
    const both = (text: string, rendered = escapeHtml(text)) => ({ raw: text, rendered })
    return {
      stylesheet: name,
      template: header.template || name,
      requires_php: header.requiresPhp,
      requires_wp: header.requiresWp,
      textdomain: header.textDomain || name,
      version: header.version,
      screenshot: '',
      author: both(
        header.author,
        header.authorUri && author ? `<a href="${escapeHtml(header.authorUri)}">${author}</a>` : author,
      ),
      author_uri: both(header.authorUri),
      description: both(header.description),
      is_block_theme: false,
      name: both(header.name || titleOf(name)),
      tags: { raw: header.tags, rendered: header.tags.map(escapeHtml).join(', ') },
      theme_uri: both(header.themeUri),
      status: isActive ? 'active' : 'inactive',
      ...(isActive && { theme_supports: SUPPORTS }),
      _links: { self: link(url(`/themes/${name}`)), collection: link(url('/themes')) },
    }
  }

  rest.registerRoute(NAMESPACE, {
    method: 'GET',
    path: '/themes',
    access: 'public',
    summary: 'Lists the installed themes.',
    response: z.array(themeShape),
    input: listSchema,
    async handler(request) {
      const { status } = request.input
      await checkRead(request, status?.join() === 'active')
      const names = (await listThemes(themes)).map(({ name }) => name)
      const asked = names.filter(
        (name) => !status?.length || status.includes(name === active() ? 'active' : 'inactive'),
      )
      return Promise.all(asked.map(prepare))
    },
  })

  rest.registerRoute(NAMESPACE, {
    method: 'GET',
    path: '/themes/{stylesheet}',
    access: 'public',
    summary: 'Returns a theme.',
    response: themeShape,
    input: itemSchema,
    async handler(request) {
      const { stylesheet } = request.input
      await checkRead(request, stylesheet === active())
      if (!THEME_NAME.test(stylesheet) || !(await listThemes(themes)).some(({ name }) => name === stylesheet))
        throw notFound('rest_theme_not_found', 'Theme not found.')
      return prepare(stylesheet)
    },
  })

  async function mayStyle({ can, user }: AccessRequest): Promise<boolean> {
    if (await can('edit_theme_options')) return true
    const message = 'Sorry, you are not allowed to access the global styles on this site.'
    throw accessDenied(user, 'rest_cannot_manage_global_styles', message)
  }

  function checkActive(stylesheet: string): void {
    if (stylesheet !== active()) throw notFound('rest_theme_not_found', 'Theme not found.')
  }

  rest.registerRoute(NAMESPACE, {
    method: 'GET',
    path: '/global-styles/themes/{stylesheet}',
    access: mayStyle,
    summary: 'Returns the block settings and styles of a theme. Always empty: themes style blocks in their stylesheet.',
    response: z.looseObject({ settings: z.object({}), styles: z.object({}) }),
    input: itemSchema,
    handler({ input: { stylesheet } }) {
      checkActive(stylesheet)
      return { settings: {}, styles: {}, _links: { self: link(url(`/global-styles/themes/${stylesheet}`)) } }
    },
  })

  rest.registerRoute(NAMESPACE, {
    method: 'GET',
    path: '/global-styles/themes/{stylesheet}/variations',
    access: mayStyle,
    summary: 'Lists the style variations of a theme. Always empty.',
    response: z.array(z.unknown()),
    input: itemSchema,
    handler({ input: { stylesheet } }) {
      checkActive(stylesheet)
      return []
    },
  })
}

function titleOf(name: string): string {
  const words = name.replaceAll(/[-_]+/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
