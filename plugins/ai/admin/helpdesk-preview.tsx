import { Box, Paper, Text } from '@mantine/core'
import { __ } from 'pentad/admin/i18n.ts'
import classes from './helpdesk-preview.module.css'

/** A static picture of a page with the helpdesk open. */
export function HelpdeskPreview({ values }: { values: Readonly<Record<string, unknown>> }) {
  if (values.helpdeskAgent !== 'on') {
    return (
      <Text size="sm" c="dimmed">
        {__('The helpdesk is off, so visitors don’t see the button. Turn it on below.', 'pentad')}
      </Text>
    )
  }
  const answers = values.helpdeskConversation === 'on'
  return (
    <Box
      className={classes.page}
      role="img"
      aria-label={
        answers
          ? __('Page with the helpdesk button and a chat window where AI answers questions', 'pentad')
          : __('Page with the helpdesk button and a contact form', 'pentad')
      }
    >
      <div aria-hidden className={classes.lines} />
      <div aria-hidden className={classes.corner} data-position={String(values.helpdeskPosition)}>
        <Paper withBorder p="xs" shadow="md" w={200}>
          <Text size="xs" fw={600}>
            {answers ? __('Ask us', 'pentad') : __('Contact us', 'pentad')}
          </Text>
          {answers ? (
            <>
              <div className={classes.answer}>{__('Hello! What would you like to know?', 'pentad')}</div>
              <div className={classes.field}>{__('Your question', 'pentad')}</div>
            </>
          ) : (
            [__('Name', 'pentad'), __('Email', 'pentad'), __('Message', 'pentad')].map((field) => (
              <div key={field} className={classes.field}>
                {field}
              </div>
            ))
          )}
        </Paper>
        <div className={classes.button}>?</div>
      </div>
    </Box>
  )
}
