import type { EditorOptions } from '@tiptap/core'
import { __, sprintf } from '../../../../i18n.ts'
import { can } from '../../../../page-data.ts'
import { notifyFailed, notifyProgress } from '../../../../parts/notify.ts'
import { plainText } from '../../../../parts/plain-text.ts'
import type { MediaItem } from '../../../media/media-item.ts'
import { uploadFile } from '../../../media/upload-file.ts'
import { cleanPaste } from './clean-paste.ts'

/**
 * Uploads images that are pasted or dropped into the editor, and inserts them.
 *
 * @param insert receives the images in their order, and for dropped ones the position in the document
 */
export function dropImages(
  insert: (items: readonly MediaItem[], position?: number) => void,
): Pick<EditorOptions['editorProps'], 'handlePaste' | 'handleDrop'> {
  async function upload(files: readonly File[], position?: number): Promise<void> {
    const items: MediaItem[] = []
    for (const file of files) {
      const text = (percent: number) => sprintf(__('Uploading %1$s: %2$d%%', 'pentad'), file.name, percent)
      const progress = notifyProgress(text(0))
      try {
        items.push(await uploadFile(file, (percent) => progress.update(text(percent))))
      } catch (error) {
        notifyFailed(
          new Error(sprintf(__('%1$s: %2$s', 'pentad'), file.name, error instanceof Error ? error.message : '')),
        )
      } finally {
        progress.close()
      }
    }
    if (items.length > 0) insert(items, position)
  }

  return {
    handlePaste(_view, { clipboardData }) {
      const files = imagesIn(clipboardData)
      if (files.length === 0) return false
      // Office programs add a picture of the text that is pasted; only a copied image has no text.
      if (plainText(cleanPaste(clipboardData?.getData('text/html') ?? '')) !== '') return false
      void upload(files)
      return true
    },
    handleDrop(view, event, _slice, isMoved) {
      const files = isMoved ? [] : imagesIn(event.dataTransfer)
      if (files.length === 0) return false
      event.preventDefault()
      void upload(files, view.posAtCoords({ left: event.clientX, top: event.clientY })?.pos)
      return true
    },
  }
}

function imagesIn(data: DataTransfer | null): File[] {
  if (!can('upload_files')) return []
  return [...(data?.files ?? [])].filter(({ type }) => type.startsWith('image/'))
}
