import type { JsonValue } from '../../../core/options/types.ts'
import type { NewPost, Post } from '../posts/types.ts'
import type { UploadFiles } from './upload-files.ts'

/** One file of an image in one size. */
export interface ImageSize {
  readonly file: string
  readonly width: number
  readonly height: number
  readonly mimeType: string
  readonly filesize?: number | undefined
  readonly url: string
}

/** Data of an attachment's file. */
export interface MediaDetails {
  /** Relative to the uploads folder: `2026/01/map.png`. */
  readonly file: string
  readonly url: string
  readonly alt: string
  readonly width: number
  readonly height: number
  readonly filesize: number | undefined
  /** Includes `full`. */
  readonly sizes: Readonly<Record<string, ImageSize>>
  /** For audio files; empty if unknown. */
  readonly artist: string
  /** Formatted duration of an audio or video file: `2:05`; empty if unknown. */
  readonly duration: string
  /** The EXIF data in the WordPress format, as imported. */
  readonly imageMeta: Readonly<Record<string, JsonValue>>
}

/** A file to add to the media library. */
export interface NewFile {
  /** Path of the file, which is left in place, or its content. */
  readonly source: string | Uint8Array
  /** Name supplied by the client; untrusted. */
  readonly name: string
}

/** Attachments and their files. `content.posts.delete` also deletes the files. */
export interface Media {
  /** Access to uploaded files, which may be in a bucket. */
  readonly files: UploadFiles
  details(attachments: readonly Post[]): Promise<Map<number, MediaDetails>>
  /**
   * Stores a file in the uploads folder, and creates an attachment and, for an image, its sizes. The type is detected from the content;
   * locations are removed from images. Fires `add_attachment`.
   * @param post Fields of the attachment; default title and caption come from the file.
   * @param announce Called when the record exists, before the sizes are generated.
   * @throws RestError 400 with `data.reason`: `file_type`, `damaged`, `image_too_large`, `unsafe`, `empty`
   */
  upload(file: NewFile, post?: NewPost, announce?: (attachment: Post) => Promise<void>): Promise<Post>
  /** Regenerates the sizes of an image, and deletes obsolete ones. @throws RestError `rest_unknown_attachment` */
  regenerate(id: number): Promise<Post>
  /** The original file, not scaled down. @throws RestError `rest_unknown_attachment` */
  read(id: number): Promise<Uint8Array>
  /**
   * Runs a memory- and CPU-intensive task on that file, with limited concurrency.
   * @throws RestError `rest_unknown_attachment`, and errors of `task`
   */
  work<Result>(id: number, task: (bytes: Uint8Array) => Promise<Result>): Promise<Result>
}
