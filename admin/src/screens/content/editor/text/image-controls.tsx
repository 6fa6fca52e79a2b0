import { RichTextEditor } from '@mantine/tiptap'
import { IconAlt, IconCrop } from '@tabler/icons-react'
import { type Editor, useEditorState } from '@tiptap/react'
import { useState } from 'react'
import { __ } from '../../../../i18n.ts'
import { can } from '../../../../page-data.ts'
import { ImageEditor } from '../../../media/image-editor.tsx'
import { ImageDescription } from './image-description.tsx'
import { attachmentOf, replaceImage, selectedImage } from './selected-image.ts'

/** Controls for the selected image. */
export function ImageControls({ editor }: { editor: Editor }) {
  const [isDescribing, setDescribing] = useState(false)
  const [editedId, setEditedId] = useState<number>()
  const { isSelected, attachment } = useEditorState({
    editor,
    selector: ({ editor: now }) => {
      const image = selectedImage(now)
      return { isSelected: image !== undefined, attachment: image && attachmentOf(image.node) }
    },
  })
  return (
    <>
      <RichTextEditor.Control
        disabled={!isSelected}
        onClick={() => setDescribing(true)}
        aria-label={__('Alternative text', 'pentad')}
        title={__('Alternative text', 'pentad')}
      >
        <IconAlt size={16} aria-hidden />
      </RichTextEditor.Control>
      {can('upload_files') && (
        <RichTextEditor.Control
          disabled={attachment === undefined}
          onClick={() => setEditedId(attachment)}
          aria-label={__('Crop and rotate', 'pentad')}
          title={__('Crop and rotate', 'pentad')}
        >
          <IconCrop size={16} aria-hidden />
        </RichTextEditor.Control>
      )}
      {isDescribing && (
        <ImageDescription editor={editor} onClose={() => setDescribing(false)} onApplied={() => setDescribing(false)} />
      )}
      <ImageEditor
        id={editedId}
        onClose={() => setEditedId(undefined)}
        onEdited={(item) => editedId !== undefined && replaceImage(editor, editedId, item)}
      />
    </>
  )
}
