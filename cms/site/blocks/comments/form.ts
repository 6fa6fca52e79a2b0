import { escapeHtml } from '../../../../core/http/escape-html.ts'
import { textAttribute } from '../../../content/blocks/attributes.ts'
import { wrapperAttributes } from '../../../content/blocks/supports.ts'
import { fill } from '../../../text/catalog.ts'
import type { TemplateCommentForm } from '../../comments/view.ts'
import { currentPage } from '../../current-page.ts'
import type { ThemeTexts } from '../../theme/texts.ts'
import { type BlockParts, type BlockRenderers, choiceClass, classNames } from '../parts.ts'
import type { FindComments } from './list.ts'

const NEEDED = ' <span class="required">*</span>'

/** `core/post-comments-form`: WordPress's `comment_form`, on the page of its post. */
export function commentsForm({ origin, texts }: BlockParts, find: FindComments): BlockRenderers {
  return {
    async 'core/post-comments-form'(attributes, _content, block) {
      const { ofPage } = await find(block.post)
      if (!ofPage?.form && !ofPage?.loginUrl) return ''
      const align = choiceClass('has-text-align-', textAttribute(attributes, 'textAlign'))
      const wrapper = wrapperAttributes(block, { class: classNames('comment-respond', align) })
      const { form } = ofPage
      const site = await texts()
      const { __ } = site
      const heading = escapeHtml(
        form?.replyTo === undefined ? __('Leave a Reply') : __('Leave a Reply to %s', form.replyTo),
      )
      const hidden = form?.replyTo === undefined ? ' style="display:none;"' : ''
      const path = escapeHtml(form?.cancelUrl ?? `${currentPage()?.path ?? ''}#respond`)
      const cancel = `<small><a rel="nofollow" id="cancel-comment-reply-link" href="${path}"${hidden}>${escapeHtml(__('Cancel reply'))}</a></small>`
      const title = `<h3 id="reply-title" class="comment-reply-title">${heading} ${cancel}</h3>`
      const login = escapeHtml(origin + (ofPage.loginUrl ?? ''))
      const body = form
        ? fields(form, origin, site)
        : `<p class="must-log-in">${fill(escapeHtml(__('You must be %1$slogged in%2$s to post a comment.')), [`<a href="${login}">`, '</a>'])}</p>`
      return `<div id="respond" ${wrapper}>${title}${body}</div>`
    },
  }
}

function fields(form: TemplateCommentForm, origin: string, texts: ThemeTexts): string {
  const __ = (text: string, ...values: readonly string[]) => escapeHtml(texts.__(text, ...values))
  const mark = form.requireNameEmail ? NEEDED : ''
  const needed = form.requireNameEmail ? ' required' : ''
  const notes = `<p class="comment-notes"><span id="email-notes">${__('Your email address will not be published.')}</span> <span class="required-field-message">${__('Required fields are marked')}${NEEDED}</span></p>`
  const text = `<p class="comment-form-comment"><label for="comment">${__('Comment')}${NEEDED}</label> <textarea id="comment" name="comment" cols="45" rows="8" maxlength="65525" required></textarea></p>`
  const visitor = `<p class="comment-form-author"><label for="author">${__('Name')}${mark}</label> <input id="author" name="author" type="text" value="" size="30" maxlength="245" autocomplete="name"${needed} /></p>
<p class="comment-form-email"><label for="email">${__('Email')}${mark}</label> <input id="email" name="email" type="email" value="" size="30" maxlength="100" aria-describedby="email-notes" autocomplete="email"${needed} /></p>
<p class="comment-form-url"><label for="url">${__('Website')}</label> <input id="url" name="url" type="url" value="" size="30" maxlength="200" autocomplete="url" /></p>`
  const trap = `<p class="screen-reader-text" aria-hidden="true" hidden><input type="text" name="${form.honeypot}" tabindex="-1" autocomplete="off" value="" /></p>`
  const submit = `<p class="form-submit wp-block-button"><input name="submit" type="submit" id="submit" class="wp-block-button__link wp-element-button" value="${__('Post Comment')}" /> <input type="hidden" name="comment_post_ID" value="${form.postId}" id="comment_post_ID" />
<input type="hidden" name="comment_parent" id="comment_parent" value="${form.parentId}" /></p>`
  const who =
    form.user === undefined
      ? `${notes}${text}${visitor}`
      : `<p class="logged-in-as">${__('Logged in as %s.', form.user)} <span class="required-field-message">${__('Required fields are marked')}${NEEDED}</span></p>${text}`
  return `<form action="${origin}${form.action}" method="post" id="commentform" class="comment-form" novalidate>${who}${trap}${submit}</form>`
}
