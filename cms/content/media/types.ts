import type { JsonValue } from '../../../core/options/types.ts'
import type { NewPost, Post } from '../posts/types.ts'

/** One file of an image in one size. */
export interface ImageSize {
  readonly file: string
  readonly width: number
  readonly height: number
  readonly mimeType: string
  readonly filesize?: number | undefined
  readonly url: string
}

/** What is known of an attachment's file. */
export interface MediaDetails {
  /** Below the uploads folder: `2026/01/map.png`. */
  readonly file: string
  readonly url: string
  readonly alt: string
  readonly width: number
  readonly height: number
  readonly filesize: number | undefined
  /** Includes `full`. */
  readonly sizes: Readonly<Record<string, ImageSize>>
  /** Of a sound file; `''` where it is not known. */
  readonly artist: string
  /** Of a sound or video file, as it is shown: `2:05`; `''` where it is not known. */
  readonly duration: string
  /** WordPress's EXIF record, as imported. */
  readonly imageMeta: Readonly<Record<string, JsonValue>>
}

/** A file to take in. */
export interface NewFile {
  /** Where it lies on disk, where it stays; or its bytes. */
  readonly source: string | Uint8Array
  /** As its sender calls it; nothing in it is trusted. */
  readonly name: string
}

/** Attachments and their files. `content.posts.delete` takes the files along. */
export interface Media {
  details(attachments: readonly Post[]): Promise<Map<number, MediaDetails>>
  /**
   * Takes a file into the uploads, makes an attachment of it and, of an image, its sizes. What the file is, its content
   * says; an image loses all that tells where it was taken. Fires `add_attachment`.
   *
   * @param post Fields of the attachment. Title and caption come from the file where none are given.
   * @param announce Called when the record is there, before the sizes are made.
   * @throws RestError 400 with `data.reason`: `file_type`, `damaged`, `image_too_large`, `unsafe`, `empty`
   */
  upload(file: NewFile, post?: NewPost, announce?: (attachment: Post) => Promise<void>): Promise<Post>
  /** Makes the sizes of an image anew and removes those it no longer has. @throws RestError `rest_unknown_attachment` */
  regenerate(id: number): Promise<Post>
  /** The file as it was taken in, not scaled down. @throws RestError `rest_unknown_attachment` */
  read(id: number): Promise<Uint8Array>
  /**
   * Does something with that file that takes memory and time, as soon as it is its turn.
   * @throws RestError `rest_unknown_attachment`, and what `task` throws
   */
  work<Result>(id: number, task: (bytes: Uint8Array) => Promise<Result>): Promise<Result>
}
