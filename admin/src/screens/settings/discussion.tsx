import { Box } from '@mantine/core'
import { __ } from '../../i18n.ts'
import { Page } from '../../parts/page.tsx'
import { SettingsForm } from '../../settings/settings-form.tsx'
import { useSettings } from '../../settings/use-settings.ts'

/** Comment permissions, moderation, and notifications. */
export default function Discussion() {
  const draft = useSettings('discussion')
  return (
    <Page title={__('Discussion settings', 'pentad')}>
      <Box maw={760}>
        <SettingsForm
          draft={draft}
          groups={[
            {
              title: __('Who can comment', 'pentad'),
              keys: [
                ...['requireNameEmail', 'commentRegistration', 'restAllowAnonymousComments'],
                ...['closeCommentsForOldPosts', 'closeCommentsDaysOld'],
              ],
            },
            { title: __('Threaded comments', 'pentad'), keys: ['threadComments', 'threadCommentsDepth'] },
            {
              title: __('Comment moderation', 'pentad'),
              keys: [
                ...['commentModeration', 'commentPreviouslyApproved', 'commentMaxLinks'],
                ...['moderationKeys', 'disallowedKeys'],
              ],
            },
            { title: __('Email notifications', 'pentad'), keys: ['commentsNotify', 'moderationNotify'] },
          ]}
        />
      </Box>
    </Page>
  )
}
