import { escapeHtml } from '../../../../core/http/escape-html.ts'
import { textAttribute } from '../../../content/blocks/attributes.ts'
import { wrapperAttributes } from '../../../content/blocks/supports.ts'
import type { TemplateCommentForm } from '../../comments/view.ts'
import { currentPage } from '../../current-page.ts'
import { type BlockParts, type BlockRenderers, choiceClass, classNames } from '../parts.ts'
import type { FindComments } from './list.ts'

const NEEDED = ' <span class="required">*</span>'

/** `core/post-comments-form`: WordPress's `comment_form`, on the page of its post. */
export function commentsForm({ origin }: BlockParts, find: FindComments): BlockRenderers {
  return {
    async 'core/post-comments-form'(attributes, _content, block) {
      const { ofPage } = await find(block.post)
      if (!ofPage?.form && !ofPage?.loginUrl) return ''
      const align = choiceClass('has-text-align-', textAttribute(attributes, 'textAlign'))
      const wrapper = wrapperAttributes(block, { class: classNames('comment-respond', align) })
      const { form } = ofPage
      const heading = form?.replyTo === undefined ? 'Leave a Reply' : `Leave a Reply to ${escapeHtml(form.replyTo)}`
      const hidden = form?.replyTo === undefined ? ' style="display:none;"' : ''
      const path = escapeHtml(form?.cancelUrl ?? `${currentPage()?.path ?? ''}#respond`)
      const cancel = `<small><a rel="nofollow" id="cancel-comment-reply-link" href="${path}"${hidden}>Cancel reply</a></small>`
      const title = `<h3 id="reply-title" class="comment-reply-title">${heading} ${cancel}</h3>`
      const login = escapeHtml(origin + (ofPage.loginUrl ?? ''))
      const body = form
        ? fields(form, origin)
        : `<p class="must-log-in">You must be <a href="${login}">logged in</a> to post a comment.</p>`
      return `<div id="respond" ${wrapper}>${title}${body}</div>`
    },
  }
}

function fields(form: TemplateCommentForm, origin: string): string {
  const mark = form.requireNameEmail ? NEEDED : ''
  const needed = form.requireNameEmail ? ' required' : ''
  const notes = `<p class="comment-notes"><span id="email-notes">Your email address will not be published.</span> <span class="required-field-message">Required fields are marked${NEEDED}</span></p>`
  const text = `<p class="comment-form-comment"><label for="comment">Comment${NEEDED}</label> <textarea id="comment" name="comment" cols="45" rows="8" maxlength="65525" required></textarea></p>`
  const visitor = `<p class="comment-form-author"><label for="author">Name${mark}</label> <input id="author" name="author" type="text" value="" size="30" maxlength="245" autocomplete="name"${needed} /></p>
<p class="comment-form-email"><label for="email">Email${mark}</label> <input id="email" name="email" type="email" value="" size="30" maxlength="100" aria-describedby="email-notes" autocomplete="email"${needed} /></p>
<p class="comment-form-url"><label for="url">Website</label> <input id="url" name="url" type="url" value="" size="30" maxlength="200" autocomplete="url" /></p>`
  const trap = `<p class="screen-reader-text" aria-hidden="true" hidden><input type="text" name="${form.honeypot}" tabindex="-1" autocomplete="off" value="" /></p>`
  const submit = `<p class="form-submit wp-block-button"><input name="submit" type="submit" id="submit" class="wp-block-button__link wp-element-button" value="Post Comment" /> <input type="hidden" name="comment_post_ID" value="${form.postId}" id="comment_post_ID" />
<input type="hidden" name="comment_parent" id="comment_parent" value="${form.parentId}" /></p>`
  const who =
    form.user === undefined
      ? `${notes}${text}${visitor}`
      : `<p class="logged-in-as">Logged in as ${escapeHtml(form.user)}. <span class="required-field-message">Required fields are marked${NEEDED}</span></p>${text}`
  return `<form action="${origin}${form.action}" method="post" id="commentform" class="comment-form" novalidate>${who}${trap}${submit}</form>`
}
