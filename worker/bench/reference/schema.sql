-- The tables of schema.js, with the indexes that the reference's documentation recommends.
create table user (id text primary key, name text not null, email text not null unique, emailVerified integer not null, image text, createdAt integer not null, updatedAt integer not null);
create table session (id text primary key, expiresAt integer not null, token text not null unique, createdAt integer not null, updatedAt integer not null, ipAddress text, userAgent text, userId text not null references user (id), activeOrganizationId text);
create table account (id text primary key, accountId text not null, providerId text not null, userId text not null references user (id), accessToken text, refreshToken text, idToken text, accessTokenExpiresAt integer, refreshTokenExpiresAt integer, scope text, password text, createdAt integer not null, updatedAt integer not null);
create table verification (id text primary key, identifier text not null, value text not null, expiresAt integer not null, createdAt integer, updatedAt integer);
create table jwks (id text primary key, publicKey text not null, privateKey text not null, createdAt integer not null);
create index session_user on session (userId);
create index account_user on account (userId);
create index verification_identifier on verification (identifier);
create table apikey (id text primary key, name text, start text, prefix text, key text not null, userId text not null references user (id), refillInterval integer, refillAmount integer, lastRefillAt integer, enabled integer, rateLimitEnabled integer, rateLimitTimeWindow integer, rateLimitMax integer, requestCount integer, remaining integer, lastRequest integer, expiresAt integer, createdAt integer not null, updatedAt integer not null, permissions text, metadata text);
create unique index apikey_key on apikey (key);
create index apikey_user on apikey (userId);
create table organization (id text primary key, name text not null, slug text unique, logo text, createdAt integer not null, metadata text);
create table member (id text primary key, organizationId text not null references organization (id), userId text not null references user (id), role text not null, createdAt integer not null);
create table invitation (id text primary key, organizationId text not null references organization (id), email text not null, role text, status text not null, expiresAt integer not null, inviterId text not null references user (id));
create index member_userId on member (userId);
create index member_organizationId on member (organizationId);
