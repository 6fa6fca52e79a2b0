import type { FilterShapes } from '../../../core/hooks/shapes.ts'
import { finiteNumber, json, membersOf, recordOf } from '../../../core/hooks/value-checks.ts'
import type { JsonValue } from '../../../core/options/types.ts'
import type { RestRequest } from '../../../core/rest/types.ts'
import type { Post } from '../types.ts'
import type { SizeRule } from './dimensions.ts'
import type { MimeTypes } from './mime-types.ts'

/** A file on its way in. */
export interface IncomingFile {
  /** What the client calls it. */
  readonly name: string
  /** Where it lies until it was checked. */
  readonly path: string
  /** Bytes. */
  readonly size: number
}

/** A file that was taken in. */
export interface StoredFile {
  /** Below the uploads folder: `2026/01/photo.jpg`. */
  readonly file: string
  /** Where it lies; its content may be changed there. */
  readonly path: string
  readonly url: string
  readonly type: string
}

declare module '../../../core/hooks/names.ts' {
  interface AsyncActions {
    /**
     * Fires before an attachment is deleted; its record and files still exist. Throw a `RestError` to cancel.
     * @param postId ID of the attachment.
     * @param post The attachment.
     * @since 0.1.0
     */
    delete_attachment: [postId: number, post: Post]
    /**
     * Fires after an attachment is created or updated over REST, before its sizes are generated.
     * @param attachment The attachment as it is stored now.
     * @param request The request.
     * @param creating `true` for a new object, `false` for an update.
     * @since 0.1.0
     */
    rest_insert_attachment: [attachment: Post, request: RestRequest, creating: boolean]
    /**
     * Like `rest_insert_attachment`, but after everything is stored and the sizes are generated.
     * @param attachment The attachment as it is stored now.
     * @param request The request.
     * @param creating `true` for a new object, `false` for an update.
     * @since 0.1.0
     */
    rest_after_insert_attachment: [attachment: Post, request: RestRequest, creating: boolean]
  }

  interface Filters {
    /**
     * Filters the allowed file types for uploads. Executable content is always rejected and never served, regardless of this
     * filter.
     * @param types MIME types by file name extension: `{ 'jpg|jpeg|jpe': 'image/jpeg' }`.
     * @param userId ID of the uploading user; 0 if there is none.
     * @since 0.1.0
     */
    upload_mimes: [types: MimeTypes, userId: number]
    /**
     * Filters the maximum size of an uploaded file.
     * @param bytes The configured limit in bytes (`PENTAD_MAX_UPLOAD`).
     * @since 0.1.0
     */
    upload_size_limit: [bytes: number]
    /**
     * Filters the width and height above which an image is scaled down; `false` to disable. The original is kept.
     * @param threshold The threshold in pixels; default 2560.
     * @param size Width and height of the image, in pixels.
     * @param file Its file, relative to the uploads folder.
     * @param attachmentId ID of the attachment.
     * @since 0.1.0
     */
    big_image_size_threshold: [
      threshold: number | false,
      size: readonly [width: number, height: number],
      file: string,
      attachmentId: number,
    ]
    /**
     * Filters whether to remove the metadata of an image: from its sizes, and from an uploaded image with location
     * metadata. With `false`, an uploaded image that needs no rotation is stored unchanged, except for text chunks of a
     * PNG, and its sizes retain Exif and XMP. WordPress applies this filter to the sizes only and always retains the
     * metadata of the original.
     * @param strip Whether to remove it; default `true`.
     * @since 0.1.0
     * @example
     * ```ts
     * import { defineExtension } from 'pentad'
     *
     * export default defineExtension({
     *   id: 'keep-copyright',
     *   name: 'Keep copyright notices',
     *   version: '1.0.0',
     *   setup({ hooks }) {
     *     hooks.addFilter('image_strip_meta', () => false)
     *   },
     * })
     * ```
     */
    image_strip_meta: [strip: boolean]
    /**
     * Filters the sizes that are generated for an image.
     * @param sizes Rules by name; a width or height of 0 is calculated from the aspect ratio.
     * @param metadata Metadata of the image so far.
     * @param attachmentId ID of the attachment.
     * @since 0.1.0
     * @example
     * ```ts
     * import { defineExtension } from 'pentad'
     *
     * export default defineExtension({
     *   id: 'teaser-size',
     *   name: 'Teaser size',
     *   version: '1.0.0',
     *   setup({ hooks }) {
     *     hooks.addFilter('intermediate_image_sizes_advanced', (sizes) => ({
     *       ...sizes,
     *       teaser: { width: 600, height: 200, crop: true },
     *     }))
     *   },
     * })
     * ```
     */
    intermediate_image_sizes_advanced: [
      sizes: Readonly<Record<string, SizeRule>>,
      metadata: Readonly<Record<string, JsonValue>>,
      attachmentId: number,
    ]
    /**
     * Filters the quality of generated image sizes, 1 to 100.
     * @param quality 82, or 86 for WebP.
     * @param mimeType MIME type of the generated file, such as `image/jpeg`.
     * @since 0.1.0
     */
    wp_editor_set_quality: [quality: number, mimeType: string]
  }

  interface AsyncFilters {
    /**
     * Filters an uploaded file before it is checked. Throw a `RestError` to reject it; a changed name renames the file.
     * @param file Name, path, and size.
     * @since 0.1.0
     */
    wp_handle_upload_prefilter: [file: IncomingFile]
    /**
     * Filters a file after it is checked and stored, before its attachment is created.
     * @param file Path, URL, and type; only a changed type has an effect.
     * @param context Always `upload`.
     * @since 0.1.0
     */
    wp_handle_upload: [file: StoredFile, context: string]
    /**
     * Filters the metadata of an attachment: width, height, sizes, camera.
     * @param metadata The value of `_wp_attachment_metadata`, as in WordPress.
     * @param attachmentId ID of the attachment.
     * @param context `create` or `update`.
     * @since 0.1.0
     */
    wp_generate_attachment_metadata: [
      metadata: Readonly<Record<string, JsonValue>>,
      attachmentId: number,
      context: string,
    ]
  }
}

/** What these filters may return at run time. */
export const filterShapes = {
  upload_mimes: recordOf('string'),
  upload_size_limit: 'number',
  big_image_size_threshold: ['number', 'boolean'],
  intermediate_image_sizes_advanced: recordOf(
    membersOf<SizeRule>({}, { width: finiteNumber, height: finiteNumber, crop: 'boolean' }),
  ),
  image_strip_meta: 'boolean',
  wp_editor_set_quality: 'number',
  wp_handle_upload_prefilter: membersOf<IncomingFile>({}, { name: 'string', path: 'string', size: finiteNumber }),
  wp_handle_upload: membersOf<StoredFile>({}, { file: 'string', path: 'string', url: 'string', type: 'string' }),
  wp_generate_attachment_metadata: json('object'),
} satisfies FilterShapes
