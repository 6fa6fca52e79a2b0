import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Auth, User } from '../../../core/auth/types.ts'
import type { HookRegistry, Hooks } from '../../../core/hooks/types.ts'
import { escapeHtml } from '../../../core/http/escape-html.ts'
import { currentRequest } from '../../../core/http/request-context.ts'
import type { Content } from '../../content/types.ts'
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
 * In a frame, where it would be part of a preview, it removes itself.
 */
export function addEditorBar(parts: {
  readonly auth: Auth
  readonly content: Content
  readonly hooks: Hooks
  readonly inspectHooks: HookRegistry['inspect']
  readonly origin: string
}): void {
  const { auth, content, hooks, inspectHooks, origin } = parts
  const read = (file: string) => readFileSync(join(import.meta.dirname, file), 'utf8').trim()
  const style = `<style>${read('bar.css')}</style>`
  const script = `<script data-no-optimize>{${read('bar.browser.js')}}</script>`

  async function editLink(page: PageContext, user: User): Promise<string> {
    const { post, term, author } = page
    if (post && (await auth.can(user, 'edit_post', post.id))) {
      const label = `Edit ${content.postTypes().get(post.type)?.singularLabel ?? 'post'}`
      return link(`${ADMIN}post.php?post=${post.id}&action=edit`, label)
    }
    if (term && (await auth.can(user, 'edit_term', term.id)))
      return link(`${ADMIN}term.php?taxonomy=${encodeURIComponent(term.taxonomy)}`, 'Edit terms')
    if (author && (await auth.can(user, 'edit_user', author.id)))
      return link(`${ADMIN}user-edit.php?user_id=${author.id}`, 'Edit user')
    return ''
  }

  async function newMenu(user: User): Promise<string> {
    const items = await Promise.all([
      auth.can(user, 'edit_posts').then((can) => (can ? link(`${ADMIN}post-new.php`, 'Post') : '')),
      auth.can(user, 'edit_pages').then((can) => (can ? link(`${ADMIN}post-new.php?post_type=page`, 'Page') : '')),
      auth.can(user, 'upload_files').then((can) => (can ? link(`${ADMIN}media-new.php`, 'Media') : '')),
      auth.can(user, 'create_users').then((can) => (can ? link(`${ADMIN}user-new.php`, 'User') : '')),
    ])
    return menu('New', items.join(''))
  }

  /** Callbacks of extensions in the hooks of pages, and their average time. */
  function callbacksOfPages(): string {
    const owners = new Map<string, { count: number; time: number }>()
    for (const { name, listeners } of inspectHooks()) {
      if (!PAGE_HOOKS.has(name)) continue
      for (const { owner, calls, time } of listeners) {
        const known = owners.get(owner) ?? { count: 0, time: 0 }
        owners.set(owner, { count: known.count + 1, time: known.time + (calls > 0 ? time / calls : 0) })
      }
    }
    const texts = [...owners].map(([owner, { count, time }]) => `${owner} ${count} (${time.toFixed(1)} ms)`)
    return texts.join(', ') || 'none'
  }

  async function insights(page: PageContext): Promise<string> {
    const own: PageInsight[] = [
      { label: 'Template', value: `${page.kind}, status ${page.status}` },
      { label: 'Hook callbacks', value: callbacksOfPages() },
      { label: 'Cache tags', value: [...page.tags].join(', ') || 'none' },
    ]
    const limited = hooks.limited({ signal: page.signal })
    const all = await limited.applyFiltersAsync('page_insights', own, page)
    const list = all.map(({ label, value }) => `<dt>${escapeHtml(label)}</dt><dd>${escapeHtml(value)}</dd>`)
    const inspector = link(`${ADMIN}hooks`, 'Open hook inspector')
    return menu('Insights', `<dl>${list.join('')}</dl>${inspector}`)
  }

  function purgeButton({ url }: PageContext): string {
    const identity = currentRequest()?.identity
    if (!identity) return ''
    const nonce = auth.createNonce('wp_rest', identity)
    const data = `data-root="${escapeHtml(origin)}/wp-json/" data-nonce="${escapeHtml(nonce)}" data-url="${escapeHtml(url)}"`
    return `<button type="button" ${data}>Purge this page</button><span role="status"></span>`
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
    const bar = [
      link(ADMIN, 'Dashboard'),
      await editLink(page, user),
      await newMenu(user),
      ...(isAdministrator ? [purgeButton(page), await insights(page)] : []),
      `<a class="end" href="${ADMIN}profile.php">${escapeHtml(user.displayName)}</a>`,
    ].join('')
    const tree = `${style}<nav aria-label="Toolbar">${bar}</nav>`
    output.print(
      `<div id="wpadminbar" data-no-optimize><template shadowrootmode="open">${tree}</template></div>\n${script}\n`,
    )
  }
}

function link(href: string, label: string): string {
  return `<a href="${escapeHtml(href)}">${escapeHtml(label)}</a>`
}

function menu(label: string, items: string): string {
  return `<details><summary>${label}</summary><div class="panel">${items}</div></details>`
}
