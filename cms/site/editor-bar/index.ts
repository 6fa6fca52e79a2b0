import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Auth, User } from '../../../core/auth/types.ts'
import type { HookRegistry, Hooks } from '../../../core/hooks/types.ts'
import { escapeHtml } from '../../../core/http/escape-html.ts'
import { currentRequest } from '../../../core/http/request-context.ts'
import type { Content } from '../../content/types.ts'
import type { PageTexts, TextsFor } from '../../text/translations.ts'
import type { PageContext } from '../types.ts'

const ADMIN = '/wp-admin/'
/** Hooks whose callbacks run for each page. */
const PAGE_HOOKS = new Set([
  'template_redirect',
  'wp_head',
  'wp_body_open',
  'the_content',
  'wp_footer',
  'page_html',
  'wp_headers',
])

/** A line in the insights of the bar. */
export interface PageInsight {
  readonly label: string
  readonly value: string
}

/**
 * The bar at the top of public pages for signed-in users who can edit posts: WordPress's toolbar. Pages for signed-in users are never stored
 * by a cache. It is in a shadow tree, so that the styles of theme and bar do not affect each other.
 * In a frame, where it would be part of a preview, it removes itself. It is in the language of the user.
 */
export function addEditorBar(parts: {
  readonly auth: Auth
  readonly content: Content
  readonly hooks: Hooks
  readonly inspectHooks: HookRegistry['inspect']
  readonly textsFor: TextsFor
  readonly origin: string
}): void {
  const { auth, content, hooks, inspectHooks, textsFor, origin } = parts
  const read = (file: string) => readFileSync(join(import.meta.dirname, file), 'utf8').trim()
  const style = `<style>${read('bar.css')}</style>`
  const script = `<script data-no-optimize>{${read('bar.browser.js')}}</script>`

  async function editLink(page: PageContext, user: User, { __ }: PageTexts): Promise<string> {
    const { post, term, author } = page
    if (post && (await auth.can(user, 'edit_post', post.id))) {
      const { labels, singularLabel = 'Post' } = content.postTypes().get(post.type) ?? {}
      const label = labels?.edit_item ?? __(`Edit ${singularLabel}`)
      return link(`${ADMIN}post.php?post=${post.id}&action=edit`, label)
    }
    if (term && (await auth.can(user, 'edit_term', term.id)))
      return link(`${ADMIN}term.php?taxonomy=${encodeURIComponent(term.taxonomy)}`, __('Edit terms'))
    if (author && (await auth.can(user, 'edit_user', author.id)))
      return link(`${ADMIN}user-edit.php?user_id=${author.id}`, __('Edit user'))
    return ''
  }

  async function newMenu(user: User, { __ }: PageTexts): Promise<string> {
    const may = async (capability: Parameters<Auth['can']>[1], path: string, label: string) =>
      (await auth.can(user, capability)) ? link(`${ADMIN}${path}`, label) : ''
    const items = await Promise.all([
      may('edit_posts', 'post-new.php', __('Post')),
      may('edit_pages', 'post-new.php?post_type=page', __('Page')),
      may('upload_files', 'media-new.php', __('Media')),
      may('create_users', 'user-new.php', __('User')),
    ])
    return menu(__('New'), items.join(''))
  }

  /** Callbacks of extensions in the hooks of pages, and their average time. */
  function callbacksOfPages({ __ }: PageTexts): string {
    const owners = new Map<string, { count: number; time: number }>()
    for (const { name, listeners } of inspectHooks()) {
      if (!PAGE_HOOKS.has(name)) continue
      for (const { owner, calls, time } of listeners) {
        const known = owners.get(owner) ?? { count: 0, time: 0 }
        owners.set(owner, { count: known.count + 1, time: known.time + (calls > 0 ? time / calls : 0) })
      }
    }
    const texts = [...owners].map(([owner, { count, time }]) => `${owner} ${count} (${time.toFixed(1)} ms)`)
    return texts.join(', ') || __('None')
  }

  async function insights(page: PageContext, texts: PageTexts): Promise<string> {
    const { __ } = texts
    const own: PageInsight[] = [
      { label: __('Template'), value: __('%1$s, status %2$s', page.kind, page.status) },
      { label: __('Hook callbacks'), value: callbacksOfPages(texts) },
      { label: __('Cache tags'), value: [...page.tags].join(', ') || __('None') },
    ]
    const limited = hooks.limited({ signal: page.signal })
    const all = await limited.applyFiltersAsync('page_insights', own, page)
    const list = all.map(({ label, value }) => `<dt>${escapeHtml(label)}</dt><dd>${escapeHtml(value)}</dd>`)
    const inspector = link(`${ADMIN}hooks`, __('Open hook inspector'))
    return menu(__('Insights'), `<dl>${list.join('')}</dl>${inspector}`)
  }

  function purgeButton({ url }: PageContext, { __, esc_html__ }: PageTexts): string {
    const identity = currentRequest()?.identity
    if (!identity) return ''
    const nonce = auth.createNonce('wp_rest', identity)
    const data = {
      ...{ root: `${origin}/wp-json/`, nonce, url, purged: __('Page purged') },
      failed: __('The page could not be purged. Reload it and try again.'),
    }
    const attributes = Object.entries(data).map(([name, value]) => ` data-${name}="${escapeHtml(value)}"`)
    return `<button type="button"${attributes.join('')}>${esc_html__('Purge this page')}</button><span role="status"></span>`
  }

  hooks.addAction(
    'wp_body_open',
    function wp_admin_bar_render(output, page) {
      const { user } = page
      return user ? printBar(output, page, user) : undefined
    },
    { priority: 0 },
  )

  async function printBar(output: { print(html: string): void }, page: PageContext, user: User): Promise<void> {
    if (!(await auth.can(user, 'edit_posts')) || !hooks.applyFilters('show_admin_bar', true, page)) return
    const isAdministrator = await auth.can(user, 'manage_options')
    const texts = await textsFor(user)
    const { __, language, direction } = texts
    const bar = [
      link(ADMIN, __('Dashboard')),
      await editLink(page, user, texts),
      await newMenu(user, texts),
      ...(isAdministrator ? [purgeButton(page, texts), await insights(page, texts)] : []),
      `<a class="end" href="${ADMIN}profile.php">${escapeHtml(user.displayName)}</a>`,
    ].join('')
    const tree = `${style}<nav aria-label="${escapeHtml(__('Toolbar'))}" lang="${language}" dir="${direction}">${bar}</nav>`
    output.print(
      `<div id="wpadminbar" data-no-optimize><template shadowrootmode="open">${tree}</template></div>\n${script}\n`,
    )
  }
}

function link(href: string, label: string): string {
  return `<a href="${escapeHtml(href)}">${escapeHtml(label)}</a>`
}

function menu(label: string, items: string): string {
  return `<details><summary>${escapeHtml(label)}</summary><div class="panel">${items}</div></details>`
}
