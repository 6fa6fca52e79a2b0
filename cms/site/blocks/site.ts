import { escapeHtml } from '../../../core/http/escape-html.ts'
import { isSet, numberAttribute, textAttribute } from '../../content/blocks/attributes.ts'
import { wrapperAttributes } from '../../content/blocks/supports.ts'
import { imageTag } from '../../content/render/image-tag.ts'
import { plainText } from '../../text/plain-text.ts'
import { currentPage } from '../current-page.ts'
import type { ThemeTexts } from '../theme/texts.ts'
import { type BlockParts, type BlockRenderers, choiceClass, classNames, reader, tagPage } from './parts.ts'
import { headingTag } from './post/texts.ts'

/** Whether the page is the home page: `is_home() || ( is_front_page() && 'page' === show_on_front )`. */
export function isHomePage(): boolean {
  const kind = currentPage()?.kind
  return kind === 'home' || kind === 'front-page'
}

/** `core/site-title`, `core/site-tagline`, `core/site-logo` and `core/loginout`. */
export function siteBlocks({ content, origin, texts }: BlockParts): BlockRenderers {
  const aligned = (attributes: Parameters<typeof textAttribute>[0]) =>
    choiceClass('has-text-align-', textAttribute(attributes, 'textAlign'))

  return {
    'core/site-title'(attributes, _content, block) {
      const title = escapeHtml(plainText(content.texturize(content.siteSettings().title)))
      if (title === '') return ''
      const tag = headingTag(attributes, 1)
      const current = isHomePage() ? ' aria-current="page"' : ''
      const target = escapeHtml(textAttribute(attributes, 'linkTarget') || '_self')
      const shown = isSet(attributes, 'isLink')
        ? `<a href="${origin}" target="${target}" rel="home"${current}>${title}</a>`
        : title
      return `<${tag} ${wrapperAttributes(block, { class: aligned(attributes) })}>${shown}</${tag}>`
    },

    'core/site-tagline'(attributes, _content, block) {
      const tagline = content.texturize(escapeHtml(plainText(content.siteSettings().description)))
      return tagline === '' ? '' : `<p ${wrapperAttributes(block, { class: aligned(attributes) })}>${tagline}</p>`
    },

    async 'core/site-logo'(attributes, _content, block) {
      const id = content.siteSettings().siteLogo ?? 0
      const logo = id > 0 ? await content.posts.get(id) : undefined
      const details = logo?.type === 'attachment' ? (await content.media.details([logo])).get(logo.id) : undefined
      if (!details) return ''
      tagPage(`post-${id}`)
      const width = numberAttribute(attributes, 'width')
      const height = details.width > 0 ? Math.trunc((width * details.height) / details.width) : 0
      const image = imageTag({ details }, 'full', {
        class: 'custom-logo',
        ...(details.alt === '' ? { alt: content.siteSettings().title } : {}),
        ...(width > 0 && height > 0 ? { width: String(width), height: String(height) } : {}),
      })
      const isNew = textAttribute(attributes, 'linkTarget') === '_blank'
      const target = isNew ? ' target="_blank" aria-label="(Home link, opens in a new tab)"' : ''
      const current = isHomePage() ? ' aria-current="page"' : ''
      const shown = isSet(attributes, 'isLink')
        ? `<a href="${origin}/" class="custom-logo-link" rel="home"${target}${current}>${image}</a>`
        : image
      return `<div ${wrapperAttributes(block, { class: width > 0 ? '' : 'is-default-size' })}>${shown}</div>`
    },

    async 'core/loginout'(attributes, _content, block) {
      // Read from the page, so that pages of visitors stay cacheable and pages of users do not.
      const user = reader()
      const shown = currentPage()
      const back = isSet(attributes, 'redirectToCurrent') && shown ? `redirect_to=${encodeURIComponent(shown.url)}` : ''
      const isForm = !user && isSet(attributes, 'displayLoginAsForm')
      const wrapper = wrapperAttributes(block, {
        class: classNames(user ? 'logged-in' : 'logged-out', isForm && 'has-login-form'),
      })
      if (isForm) return `<div ${wrapper}>${loginForm(origin, shown?.url ?? `${origin}/`, await texts())}</div>`
      const { __ } = await texts()
      const path = user ? '/wp-login.php?action=logout' : '/wp-login.php'
      const url = origin + path + (back === '' ? '' : `${user ? '&' : '?'}${back}`)
      return `<div ${wrapper}><a href="${escapeHtml(url)}">${escapeHtml(user ? __('Log out') : __('Log in'))}</a></div>`
    },
  }
}

/** WordPress's `wp_login_form`. */
function loginForm(origin: string, target: string, texts: ThemeTexts): string {
  const __ = (text: string) => escapeHtml(texts.__(text))
  return `<form name="loginform" id="loginform" action="${origin}/wp-login.php" method="post"><p class="login-username"><label for="user_login">${__('Username or Email Address')}</label> <input type="text" name="log" id="user_login" autocomplete="username" class="input" value="" size="20" /></p><p class="login-password"><label for="user_pass">${__('Password')}</label> <input type="password" name="pwd" id="user_pass" autocomplete="current-password" class="input" value="" size="20" /></p><p class="login-remember"><label><input name="rememberme" type="checkbox" id="rememberme" value="forever" /> ${__('Remember Me')}</label></p><p class="login-submit"><input type="submit" name="wp-submit" id="wp-submit" class="button button-primary" value="${__('Log In')}" /> <input type="hidden" name="redirect_to" value="${escapeHtml(target)}" /></p></form>`
}
