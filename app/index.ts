/**
 * The public API: everything that plugins and extensions may import, as `pentad`. It includes the `hooks.ts` of each folder, so that
 * extensions see the hooks of the product and can declare their own.
 */
import '../cms/abilities/hooks.ts'
import '../cms/accounts/hooks.ts'
import '../cms/admin/hooks.ts'
import '../cms/changes/hooks.ts'
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
import '../cms/license/hooks.ts'
import '../cms/mail/hooks.ts'
import '../cms/jobs/hooks.ts'
import '../cms/operations/hooks.ts'
import '../cms/privacy/hooks.ts'
import '../cms/site/embeds/hooks.ts'
import '../cms/site/hooks.ts'
import './packages/hooks.ts'
import { error, ok, warning } from './doctor/types.ts'

export { type AsCaller, asCaller } from '../cms/abilities/as-caller.ts'
export type * from '../cms/abilities/types.ts'
export type * from '../cms/accounts/types.ts'
export type * from '../cms/admin/types.ts'
export { isOfPages, mergePurges } from '../cms/changes/merge.ts'
export { readPageUrl } from '../cms/changes/page-url.ts'
export { PurgeRejectedError } from '../cms/changes/rejected.ts'
export { sendPurge } from '../cms/changes/send-purge.ts'
export type * from '../cms/changes/types.ts'
export {
  type ChunkedUpload,
  corrupt as corruptUpload,
  registerChunkedUpload,
  type UploadedFile,
  uploadCorrupt,
} from '../cms/chunked-upload/routes.ts'
export { createUploadSessions } from '../cms/chunked-upload/sessions.ts'
export { sha256File, sumOf } from '../cms/chunked-upload/sha256-file.ts'
export type * from '../cms/content/capabilities/names.ts'
export type { PostCapabilityNames } from '../cms/content/capabilities/post-capability-names.ts'
export { feedPath } from '../cms/content/permalinks/path.ts'
export type * from '../cms/content/permalinks/types.ts'
export { isPublicSite } from '../cms/content/public-site.ts'
export { type FoundUrl, findUrls as findEmbedUrls } from '../cms/content/render/find-urls.ts'
export { galleryIds } from '../cms/content/render/gallery.ts'
export type * from '../cms/content/types.ts'
export { dayOf, lastDays } from '../cms/days.ts'
export { nodeOf } from '../cms/files/node-of.ts'
export { isPublicAddress, publicLookup } from '../cms/http/public-address.ts'
export {
  describeUnusedUrl,
  notUsed,
  type PublicRequest,
  readAnswer,
  readResponse,
  requestPublic,
} from '../cms/http/public-request.ts'
export { retryAfterMs } from '../cms/http/retry-after.ts'
export type * from '../cms/jobs/types.ts'
export type * from '../cms/license/types.ts'
export { mailMessageShape } from '../cms/mail/message-shape.ts'
export type * from '../cms/mail/types.ts'
export { installCommand, packageMissing } from '../cms/operations/optional-packages.ts'
export { createRateLimit, type RateLimit, type RateLimitOptions } from '../cms/rate-limits/rate-limit.ts'
export type { RateLimitStore } from '../cms/rate-limits/types.ts'
export type { OpenApi } from '../cms/rest/openapi.ts'
export { pageLinks } from '../cms/rest/page-links.ts'
export { paginated, paginationSchema } from '../cms/rest/pagination.ts'
export { fromOwnPages, sameOriginOnly } from '../cms/rest/same-origin-only.ts'
export { defineExtension } from '../cms/sandbox/define.ts'
export type * from '../cms/sandbox/types.ts'
export { line, lines, toggle } from '../cms/settings/fields.ts'
export { settingsRoute } from '../cms/settings/routes.ts'
export type { Conditionals } from '../cms/site/conditionals.ts'
export type { EmbedSize, OembedAnswer, OembedProviders, OembedResponse } from '../cms/site/embeds/types.ts'
export type { EnqueueOptions, ExtensionAssets } from '../cms/site/extension-assets.ts'
export { filteredTexts, mergeTexts } from '../cms/site/filtered-texts.ts'
export { pageNonce } from '../cms/site/page-nonce.ts'
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
export { type Language, loadLanguages } from '../cms/text/detect-language.ts'
export { createHtmlParser, parseInChunks, parseInPieces } from '../cms/text/html-parser.ts'
export { direction, toLanguage } from '../cms/text/language.ts'
export { formatPrice, fractionDigits } from '../cms/text/money.ts'
export { plainText } from '../cms/text/plain-text.ts'
export { termWeights } from '../cms/text/term-weights.ts'
export type { PageTexts, TextsFor } from '../cms/text/translations.ts'
export { countWords, isContentWord, isTelling, type Word, wordsOf } from '../cms/text/words.ts'
export { createThreadPool, type ThreadPool } from '../cms/threads/thread-pool.ts'
export { createYield } from '../cms/threads/yielding.ts'
export { markForeignCode, markUntrustedCode } from '../cms/untrusted-code.ts'
export { writeRepeatably } from '../core/database/repeatable-writes.ts'
export { makePrivate } from '../core/http/private-response.ts'
export * from '../core/index.ts'
export * from './former-names.ts'
export type { SiteReplacement } from './replacement/extension-view.ts'
export type { Replacement, ReplacementOutcome } from './replacement/replacement.ts'
export type { StagingDatabase } from './replacement/staging-database.ts'

import type { License, LicenseStatus } from '../cms/license/types.ts'
import type { StagingDatabase } from './replacement/staging-database.ts'
// The former name: cspell:ignore licence
/** @deprecated Use `License`. */
export type Licence = License
/** @deprecated Use `LicenseStatus`. */
export type LicenceStatus = LicenseStatus
/** @deprecated Use `StagingDatabase`. */
export type DatabaseBeside = StagingDatabase

// Members of `host` that the parts of the product add. Exports, because the compiler leaves empty imports out of declarations.
export type {} from '../cms/changes/index.ts'
export type {} from '../cms/database/view.ts'
export type {} from '../cms/extension-view.ts'
export type {} from '../cms/jobs/view.ts'
export type {} from '../cms/license/extension-view.ts'
export type {} from '../cms/site/extension-view.ts'
export type { DoctorCheck, ExaminedSite, Finding, FindingAction } from './doctor/types.ts'
export type {} from './loader/extension-view.ts'

/** Creates the findings of checks for `pentad doctor` and Site Health. */
export const doctor = { error, ok, warning }
