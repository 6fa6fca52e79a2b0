import type { SeoSettings } from '../settings.ts'
import type { MetaTag } from './tags.ts'

/** Site verification tags. Search engines look for them on the home page. */
export function verificationTags(settings: SeoSettings): MetaTag[] {
  return [
    ['google-site-verification', settings.googleVerification],
    ['msvalidate.01', settings.bingVerification],
    ['yandex-verification', settings.yandexVerification],
    ['baidu-site-verification', settings.baiduVerification],
    ['naver-site-verification', settings.naverVerification],
    ['p:domain_verify', settings.pinterestVerification],
  ]
}
