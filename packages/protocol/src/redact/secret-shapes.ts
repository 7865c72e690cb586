/** Forms that only secrets have; the first group of each is what may stay. All of them take linear time. */
export const SECRET_SHAPES: readonly RegExp[] = [
  // Keys of Anthropic, OpenAI, Stripe and similar, which contain digits, unlike names such as sk-learn-contrib-tools.
  /\b()(?:sk|rk|pk)[-_](?=[A-Za-z_-]{0,80}\d)[A-Za-z0-9][A-Za-z0-9_-]{15,}/g,
  // Tokens of GitHub, GitLab, Slack, Google, AWS, and our own.
  /\b()(?:gh[pousr]_|github_pat_|gl(?:pat|dt|rt|cbt|ptt|ft|soat)-|xox[a-z]-|xapp-|(?:AKIA|ASIA|ABIA|ACCA)(?=[A-Z0-9]{16})|AIza|ya29\.|GOCSPX-|aw_(?=[A-Za-z]{0,40}\d))[A-Za-z0-9_-]{12,}/g,
  // The same for npm, Hugging Face, PyPI, Docker, DigitalOcean, Shopify, SendGrid, Vault, Atlassian,
  // Databricks, Grafana and others.
  /\b()(?:npm_|hf_|rubygems_|shp(?:at|ss|ca|pa)_|r8_|gsk_|figd_|nfp_|whsec_|dapi)[A-Za-z0-9]{20,}/g,
  /\b()(?:pypi-AgE|dckr_pat_|do[opr]_v1_|SG\.|hv[sb]\.|ATATT3|ATCTT3|gl(?:c|sa)_(?=[A-Za-z_-]{0,80}\d)|sntry[su]_|sbp_|lin_api_|PMAK-|AGE-SECRET-KEY-1|xai-)[A-Za-z0-9_.=+-]{16,}/g,
  // Telegram and Discord bots.
  /\b()\d{8,10}:AA[A-Za-z0-9_-]{30,}/g,
  /\b()[MNO][A-Za-z\d_-]{23,27}\.[A-Za-z\d_-]{6}\.[A-Za-z\d_-]{27,}/g,
  // JSON web tokens.
  /\b()eyJ[A-Za-z0-9_-]{8,500}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?/g,
  // Password hashes.
  /(?<![\w$])()\$(?:1|2[aby]|5|6|y|7|argon2(?:id?|d))\$[A-Za-z0-9./$=,+]{20,}/g,
  // Authorization: Bearer x, "authorization": "Basic x", Cookie: x.
  /\b((?:proxy-)?authorization\\?["']?\s{0,3}[:=]\s{0,3}\\?["']?\s{0,3}(?:[A-Za-z][\w-]{1,20}\s{1,3})?)(?!\[redacted)[^\s"'\\][^\r\n"'\\]{2,}/gi,
  /\b((?:set-)?cookie\\?["']?\s{0,3}[:=]\s{0,3}\\?["']?)[^\s"'\\][^\r\n"'\\]{2,}/gi,
  /\b(bearer\s{1,3})[A-Za-z0-9._~+/=-]{8,}/gi,
  /\b((?:[Bb]asic|BASIC)\s{1,3})(?=[A-Za-z_-]{0,80}[\d=+/~]|[a-z]{1,40}[A-Z])[A-Za-z0-9._~+/=-]{8,}/g,
  // https://user:password@host, https://token@host
  /\b([a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@"'\\]{0,100}:)[^\s/"'\\]{1,200}(?=@[^\s@])/gi,
  /\b(https?:\/\/)(?=[A-Za-z_-]{0,80}\d)[A-Za-z0-9_-]{20,200}(?=@)/gi,
  // Addresses that are themselves a secret.
  /\b(https?:\/\/(?:hooks\.slack\.com\/(?:services|workflows|triggers)\/|(?:[a-z]{1,10}\.)?discord(?:app)?\.com\/api\/(?:v\d{1,2}\/)?webhooks\/|[\w-]{1,60}\.webhook\.office\.com\/webhookb2\/|outlook\.office(?:365)?\.com\/webhook\/|hooks\.zapier\.com\/hooks\/catch\/|api\.telegram\.org\/bot))[^\s"'<>\\]+/gi,
  /([?&](?:key|sig|signature|x-(?:amz|goog)-(?:signature|credential|security-token)|auth|jwt|code)=)(?=[^&\s"'#]{0,80}\d)[^&\s"'#<>\\]{12,}/gi,
  // .netrc and .pgpass.
  /\b((?:login|machine|account)\s{1,20}\S{1,200}\s{1,20}password\s{1,20})\S+/g,
  /^((?:[^\s:]{1,200}):(?:54\d\d|\*):[^\s:]{1,100}:[^\s:]{1,100}:)\S+$/gm,
  // SQL.
  /\b((?:identified\s{1,3}by|password)\s{1,3}')[^'\r\n]{1,500}(?=')/gi,
  // Options that are secret for some programs.
  /(\b(?:curl|wget|https?|xh)\b[^\r\n]{0,300}?\s(?:-u|-U|-a|--user|--proxy-user|--auth)[\s=]{0,2}\\?["']?[^\s:"'\\]{0,100}:)(?!\/\/)[^\s"'\\]+/g,
  /(\b(?:mysql|mysqldump|mysqladmin|mariadb|7z)\b[^\r\n]{0,300}?\s-p)(?!\s)[^\s"'\\]+/g,
  /(\b(?:sshpass|docker login|podman login|mongosh?|mongodump|unzip|redis-cli|htpasswd|ldapsearch|az login)\b[^\r\n]{0,300}?\s-[pPaw]\s{0,2}\\?["']?)[^\s"'\\-][^\s"'\\]*/g,
  /(\b-?pass(?:in|out|word)?[\s=]{1,2}pass:)[^\s"'\\]+/g,
  /(\bsmbclient\b[^\r\n]{0,300}?\s-U\s{0,2}\\?["']?[^\s%"']{1,100}%)[^\s"'\\]+/g,
];
