import { COMMENT_RULES, safeHtml } from '../sanitize.ts'
import { linkAddresses } from './link-addresses.ts'
import { toParagraphs } from './paragraphs.ts'
import { remember } from './remember.ts'

/** A comment's text as safe HTML with paragraphs. Comments come from strangers, so they are cleaned when shown, too. */
export const commentHtml: (content: string) => string = remember((content) =>
  toParagraphs(linkAddresses(safeHtml(content, COMMENT_RULES))),
)
