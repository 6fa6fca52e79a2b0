/**
 * The public face: all that plugins and extensions may import, as `pentad`.
 * The `hooks.ts` of each folder are among it, so that an extension sees what core emits and can add to it.
 */
import '../cms/abilities/hooks.ts'
import '../core/http/answered-requests.ts'
import '../core/auth/hooks.ts'
import '../cms/content/blocks/hooks.ts'
import '../cms/content/capabilities/hooks.ts'
import '../cms/content/comments/hooks.ts'
import '../cms/content/discussion/hooks.ts'
import '../cms/content/export/hooks.ts'
import '../cms/content/hooks.ts'
import '../cms/content/import/hooks.ts'
import '../cms/content/media/hooks.ts'
import '../cms/content/menus/hooks.ts'
import '../cms/content/meta/hooks.ts'
import '../cms/content/posts/hooks.ts'
import '../cms/content/render/hooks.ts'
import '../cms/content/routes/hooks.ts'
import '../cms/content/routes/posts/hooks.ts'
import '../cms/content/search-replace/hooks.ts'
import '../cms/content/terms/hooks.ts'
import '../core/extensions/hooks.ts'
import '../core/jobs/hooks.ts'
import '../core/lifecycle.ts'
import '../core/mail/hooks.ts'
import '../core/options/hooks.ts'
import '../core/rest/hooks.ts'
import '../cms/site/embeds/hooks.ts'
import '../cms/site/hooks.ts'

export { type AsCaller, asCaller } from '../cms/abilities/as-caller.ts'
export type * from '../cms/abilities/types.ts'
export type * from '../cms/admin/types.ts'
export {
  type ChunkedUpload,
  corrupt as uploadCorrupt,
  registerChunkedUpload,
  type UploadedFile,
} from '../cms/chunked-upload/routes.ts'
export { createUploadSessions } from '../cms/chunked-upload/sessions.ts'
export type * from '../cms/content/capabilities/names.ts'
export type { PostCapabilityNames } from '../cms/content/capabilities/post-capability-names.ts'
export { feedPath } from '../cms/content/permalinks/path.ts'
export type * from '../cms/content/permalinks/types.ts'
export { isPublicSite } from '../cms/content/public-site.ts'
export { galleryIds } from '../cms/content/render/gallery.ts'
export type * from '../cms/content/types.ts'
export type { Conditionals } from '../cms/site/conditionals.ts'
export { type FoundUrl, findUrls as findEmbedUrls } from '../cms/site/embeds/find-urls.ts'
export type { EmbedSize, OembedAnswer, OembedProviders } from '../cms/site/embeds/types.ts'
export { filteredTexts } from '../cms/site/filtered-texts.ts'
export { direction, toLanguage } from '../cms/site/language.ts'
export { bundleScript } from '../cms/site/scripts/bundle.ts'
export {
  createScripts,
  type GeneratedWorker,
  generatedWorkerShape,
  type Scripts,
  type ServiceWorkerFile,
} from '../cms/site/scripts/index.ts'
export { isSharedPage } from '../cms/site/shared-page.ts'
export type * from '../cms/site/types.ts'
export { createHtmlParser, parseInPieces } from '../cms/text/html-parser.ts'
export { type Language, loadLanguages } from '../cms/text/language.ts'
export { formatPrice, fractionDigits } from '../cms/text/money.ts'
export { plainText } from '../cms/text/plain-text.ts'
export { termWeights } from '../cms/text/term-weights.ts'
export { countWords, isTelling, type Word, wordsOf } from '../cms/text/words.ts'
export * from '../core/auth/capability-names.ts'
export type { CurrentUser } from '../core/auth/current-user.ts'
export { pageNonce } from '../core/auth/page-nonce.ts'
export type * from '../core/auth/types.ts'
export { dayOf, fromGmt, lastDays, toGmt } from '../core/database/gmt.ts'
export type { Database, DatabaseKind } from '../core/database/index.ts'
export { RestError } from '../core/errors.ts'
export { defineExtension } from '../core/extensions/define.ts'
export { markForeignCode } from '../core/extensions/foreign-code.ts'
export type * from '../core/extensions/types.ts'
export { type AtomicWriteOptions, writeAtomically } from '../core/files/atomic-write.ts'
export { flushFolder, flushFolderSync } from '../core/files/flush-folder.ts'
export { sumOf } from '../core/files/sum-of.ts'
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
} from '../core/hooks/contents.ts'
export * from '../core/hooks/names.ts'
export type { FilterShape, FilterShapes, ShapeOf, ValueKind, ValueSchema } from '../core/hooks/shapes.ts'
export type * from '../core/hooks/types.ts'
export type { AnsweredRequest } from '../core/http/answered-requests.ts'
export { networkOf } from '../core/http/client-address.ts'
export { readCookie } from '../core/http/cookie.ts'
export { escapeHtml } from '../core/http/escape-html.ts'
export type { Front, FrontHandler, RenderedAnswer } from '../core/http/front.ts'
export { isPublicAddress, publicLookup } from '../core/http/public-address.ts'
export { notUsed, type PublicRequest, readAnswer, requestPublic } from '../core/http/public-request.ts'
export { createRateLimit, type RateLimit } from '../core/http/rate-limit.ts'
export { isAnsweringRequest } from '../core/http/request-context.ts'
export { retryAfterMs } from '../core/http/retry-after.ts'
export type * from '../core/jobs/types.ts'
export type { Logger } from '../core/log.ts'
export { mailMessageShape } from '../core/mail/message-shape.ts'
export type * from '../core/mail/types.ts'
export { settingsRoute } from '../core/options/routes.ts'
export { line, lines, toggle } from '../core/options/setting-fields.ts'
export type * from '../core/options/types.ts'
export { type AnswerOf, pageAnswer, successAnswer } from '../core/rest/answers.ts'
export { fromOwnPages } from '../core/rest/own-pages.ts'
export { pageLinks, paginated, paginationSchema } from '../core/rest/pagination.ts'
export { RestResponse, success } from '../core/rest/response.ts'
export type * from '../core/rest/types.ts'
export { createThreadPool, type ThreadPool } from '../core/threads/thread-pool.ts'
export { createYield } from '../core/threads/yielding.ts'
