import { Button } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import type { Editor } from '@tiptap/react'
import { useEffect, useState } from 'react'
import { _n, sprintf } from '../../../../i18n.ts'
import { ImageDescription } from './image-description.tsx'
import { countsOf } from './overview.ts'
import classes from './rich-text.module.css'
import { imagesWithoutAlt, selectImageWithoutAlt, writeAtImage } from './selected-image.ts'

/** Delay in ms: counting long posts takes a while. */
const COUNT_AFTER = 500

/** What is true of the whole text: the number of words, and of images that still need a description. */
export function StatusBar({ editor }: { editor: Editor }) {
  const [{ words, missing }, setStatus] = useState(() => statusOf(editor))
  const [described, setDescribed] = useState<number>()
  const update = useDebouncedCallback(() => setStatus(statusOf(editor)), COUNT_AFTER)
  useEffect(() => {
    editor.on('transaction', update)
    return () => {
      editor.off('transaction', update)
      update.cancel()
    }
  }, [editor, update])
  /** Opens the description of the first such image from a position on. */
  function describe(from: number): void {
    if (selectImageWithoutAlt(editor, from)) setDescribed(editor.state.selection.from)
    else close()
  }
  function close(): void {
    setDescribed(undefined)
    // The button that opened the dialog goes once every image is described.
    writeAtImage(editor)
  }
  return (
    <div className={classes.status}>
      {sprintf(_n('%d word', '%d words', words, 'pentad'), words)}
      {missing > 0 && (
        <Button size="compact-xs" variant="light" color="orange" onClick={() => describe(0)}>
          {sprintf(
            _n('%d image has no alternative text', '%d images have no alternative text', missing, 'pentad'),
            missing,
          )}
        </Button>
      )}
      {described !== undefined && (
        <ImageDescription key={described} editor={editor} onClose={close} onApplied={(pos) => describe(pos + 1)} />
      )}
    </div>
  )
}

function statusOf({ state: { doc } }: Editor) {
  return { words: countsOf(doc).words, missing: imagesWithoutAlt(doc).length }
}
