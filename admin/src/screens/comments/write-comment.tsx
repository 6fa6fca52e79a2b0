import { Blockquote, Group, Modal, Stack, Textarea, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useChange } from '../../api/query.ts'
import { change } from '../../api/rest.ts'
import { __, sprintf } from '../../i18n.ts'
import { FormButtons } from '../../parts/form-buttons.tsx'
import { plainText } from '../../parts/plain-text.ts'
import { useFields } from '../../parts/use-fields.ts'
import { COMMENTS, COUNTS, type CommentItem } from './comment.ts'

/** What is edited: a reply to a comment, or the comment itself. */
export interface Writing {
  readonly kind: 'reply' | 'edit'
  readonly comment: CommentItem
}

export function WriteComment({ writing, onClose }: { writing: Writing | undefined; onClose: () => void }) {
  const name = writing?.comment.author_name || __('Anonymous', 'pentad')
  return (
    <Modal
      opened={writing !== undefined}
      onClose={onClose}
      size="lg"
      closeOnClickOutside={false}
      title={
        writing?.kind === 'reply'
          ? sprintf(__('Reply to %s', 'pentad'), name)
          : sprintf(__('Comment by %s', 'pentad'), name)
      }
    >
      {writing?.kind === 'reply' && <Reply comment={writing.comment} onClose={onClose} />}
      {writing?.kind === 'edit' && <Edit comment={writing.comment} onClose={onClose} />}
    </Modal>
  )
}

interface FormProps {
  readonly comment: CommentItem
  readonly onClose: () => void
}

/** As in WordPress, replying to a pending comment approves it. */
function Reply({ comment, onClose }: FormProps) {
  const [content, setContent] = useState('')
  const send = useChange(
    async () => {
      if (comment.status === 'hold') await change('POST', `${COMMENTS}/${comment.id}`, { status: 'approved' })
      return change('POST', COMMENTS, { post: comment.post, parent: comment.id, content })
    },
    { invalidates: [COMMENTS, COUNTS], done: __('Reply published.', 'pentad') },
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    send.mutate(undefined, { onSuccess: onClose })
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <Blockquote p="sm">{plainText(comment.content.rendered)}</Blockquote>
        <Textarea
          label={__('Reply', 'pentad')}
          autosize
          minRows={4}
          required
          data-autofocus
          value={content}
          onChange={({ currentTarget: { value } }) => setContent(value)}
        />
        <FormButtons
          label={comment.status === 'hold' ? __('Approve and reply', 'pentad') : __('Reply', 'pentad')}
          isBusy={send.isPending}
          onCancel={onClose}
        />
      </Stack>
    </form>
  )
}

function Edit({ comment, onClose }: FormProps) {
  const { fields, field } = useFields({
    author_name: comment.author_name,
    author_email: comment.author_email,
    author_url: comment.author_url,
    content: comment.content.raw,
  })
  const save = useChange(() => change('POST', `${COMMENTS}/${comment.id}`, fields), {
    invalidates: [COMMENTS],
    done: __('Saved.', 'pentad'),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate(undefined, { onSuccess: onClose })
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <Group grow preventGrowOverflow={false}>
          <TextInput label={__('Name', 'pentad')} {...field('author_name')} />
          <TextInput label={__('Email', 'pentad')} type="email" {...field('author_email')} />
        </Group>
        <TextInput label={__('Website', 'pentad')} type="url" {...field('author_url')} />
        <Textarea label={__('Comment', 'pentad')} autosize minRows={5} required {...field('content')} />
        <FormButtons label={__('Save', 'pentad')} isBusy={save.isPending} onCancel={onClose} />
      </Stack>
    </form>
  )
}
