/**
 * The public face: all that plugins and extensions may import, as `pentad`.
 * The `hooks.ts` of each folder are among it, so that an extension sees what core emits and can add to it.
 */
import './abilities/hooks.ts'
import './http/answered-requests.ts'
import './auth/hooks.ts'
import './content/blocks/hooks.ts'
import './content/comments/hooks.ts'
import './content/discussion/hooks.ts'
import './content/export/hooks.ts'
import './content/hooks.ts'
import './content/import/hooks.ts'
import './content/media/hooks.ts'
import './content/menus/hooks.ts'
import './content/meta/hooks.ts'
import './content/posts/hooks.ts'
import './content/render/hooks.ts'
import './content/routes/hooks.ts'
import './content/routes/posts/hooks.ts'
import './content/search-replace/hooks.ts'
import './content/terms/hooks.ts'
import './extensions/hooks.ts'
import './jobs/hooks.ts'
import './lifecycle.ts'
import './mail/hooks.ts'
import './options/hooks.ts'
import './rest/hooks.ts'
import './site/embeds/hooks.ts'
import './site/hooks.ts'

export { type AsCaller, asCaller } from './abilities/as-caller.ts'
export type * from './abilities/types.ts'
export type * from './admin/types.ts'
export * from './auth/capability-names.ts'
export type { CurrentUser } from './auth/current-user.ts'
export { pageNonce } from './auth/page-nonce.ts'
export type * from './auth/types.ts'
export {
  type ChunkedUpload,
  corrupt as uploadCorrupt,
  registerChunkedUpload,
  type UploadedFile,
} from './chunked-upload/routes.ts'
export { createUploadSessions } from './chunked-upload/sessions.ts'
export { feedPath } from './content/permalinks/path.ts'
export type * from './content/permalinks/types.ts'
export { isPublicSite } from './content/public-site.ts'
export { galleryIds } from './content/render/gallery.ts'
export type * from './content/types.ts'
export { dayOf, fromGmt, lastDays, toGmt } from './database/gmt.ts'
export type { Database, DatabaseKind } from './database/index.ts'
export { RestError } from './errors.ts'
export { defineExtension } from './extensions/define.ts'
export { markForeignCode } from './extensions/foreign-code.ts'
export type * from './extensions/types.ts'
export { type AtomicWriteOptions, writeAtomically } from './files/atomic-write.ts'
export { flushFolder, flushFolderSync } from './files/flush-folder.ts'
export { sumOf } from './files/sum-of.ts'
export {
  type Check,
  type ContentsCheck,
  callable,
  finiteNumber,
  headers,
  json,
  listOf,
  membersOf,
  oneOf,
  orNull,
  recordOf,
} from './hooks/contents.ts'
export * from './hooks/names.ts'
export type { FilterShape, FilterShapes, ShapeOf, ValueKind, ValueSchema } from './hooks/shapes.ts'
export type * from './hooks/types.ts'
export type { AnsweredRequest } from './http/answered-requests.ts'
export { networkOf } from './http/client-address.ts'
export { readCookie } from './http/cookie.ts'
export type { Front, FrontHandler, RenderedAnswer } from './http/front.ts'
export { isPublicAddress, publicLookup } from './http/public-address.ts'
export { notUsed, type PublicRequest, readAnswer, requestPublic } from './http/public-request.ts'
export { createRateLimit, type RateLimit } from './http/rate-limit.ts'
export { isAnsweringRequest } from './http/request-context.ts'
export { retryAfterMs } from './http/retry-after.ts'
export type * from './jobs/types.ts'
export type { Logger } from './log.ts'
export { mailMessageShape } from './mail/message-shape.ts'
export type * from './mail/types.ts'
export { settingsRoute } from './options/routes.ts'
export { line, lines, toggle } from './options/setting-fields.ts'
export type * from './options/types.ts'
export { type AnswerOf, pageAnswer, successAnswer } from './rest/answers.ts'
export { fromOwnPages } from './rest/own-pages.ts'
export { pageLinks, paginated, paginationSchema } from './rest/pagination.ts'
export { RestResponse, success } from './rest/response.ts'
export type * from './rest/types.ts'
export type { Conditionals } from './site/conditionals.ts'
export { type FoundUrl, findUrls as findEmbedUrls } from './site/embeds/find-urls.ts'
export type { EmbedSize, OembedAnswer, OembedProviders } from './site/embeds/types.ts'
export { filteredTexts } from './site/filtered-texts.ts'
export { direction, toLanguage } from './site/language.ts'
export { bundleScript } from './site/scripts/bundle.ts'
export {
  createScripts,
  type GeneratedWorker,
  generatedWorkerShape,
  type Scripts,
  type ServiceWorkerFile,
} from './site/scripts/index.ts'
export { isSharedPage } from './site/shared-page.ts'
export type * from './site/types.ts'
export { escapeHtml } from './text/escape-html.ts'
export { createHtmlParser, parseInPieces } from './text/html-parser.ts'
export { type Language, loadLanguages } from './text/language.ts'
export { formatPrice, fractionDigits } from './text/money.ts'
export { plainText } from './text/plain-text.ts'
export { termWeights } from './text/term-weights.ts'
export { countWords, isTelling, type Word, wordsOf } from './text/words.ts'
export { createThreadPool, type ThreadPool } from './threads/thread-pool.ts'
export { createYield } from './threads/yielding.ts'
