BEGIN TRANSACTION;
CREATE TABLE accounts (
	id VARCHAR(24) NOT NULL, 
	player VARCHAR(16) NOT NULL, 
	name VARCHAR(24) NOT NULL, 
	crest VARCHAR(4) NOT NULL, 
	created FLOAT NOT NULL, 
	renamed FLOAT NOT NULL, 
	muted FLOAT NOT NULL, 
	banned FLOAT NOT NULL, 
	code VARCHAR(160) NOT NULL, 
	code_at FLOAT NOT NULL, 
	gone FLOAT NOT NULL, 
	changed FLOAT NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE (player)
);
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0006');
CREATE TABLE bots (
	id VARCHAR(16) NOT NULL, 
	name VARCHAR(24) NOT NULL, 
	mu FLOAT NOT NULL, 
	sigma FLOAT NOT NULL, 
	games INTEGER NOT NULL, 
	won INTEGER NOT NULL, 
	drawn INTEGER NOT NULL, 
	played FLOAT NOT NULL, faults INTEGER DEFAULT '0' NOT NULL, 
	PRIMARY KEY (id)
);
CREATE TABLE bouts (
	record VARCHAR(24) NOT NULL, 
	p1 VARCHAR(16) NOT NULL, 
	p2 VARCHAR(16) NOT NULL, 
	names TEXT NOT NULL, 
	winner VARCHAR(4) NOT NULL, 
	regulation VARCHAR(120) NOT NULL, 
	at FLOAT NOT NULL, 
	PRIMARY KEY (record)
);
CREATE TABLE challenges (
	hash VARCHAR(64) NOT NULL, 
	purpose VARCHAR(8) NOT NULL, 
	owner VARCHAR(24) NOT NULL, 
	until FLOAT NOT NULL, 
	PRIMARY KEY (hash)
);
CREATE TABLE devices (
	token VARCHAR(64) NOT NULL, 
	id VARCHAR(16) NOT NULL, 
	account VARCHAR(24) NOT NULL, 
	kind VARCHAR(8) NOT NULL, 
	label VARCHAR(40) NOT NULL, 
	created FLOAT NOT NULL, 
	seen FLOAT NOT NULL, 
	ended FLOAT NOT NULL, 
	changed FLOAT NOT NULL, 
	PRIMARY KEY (token), 
	UNIQUE (id)
);
CREATE TABLE entries (
	room VARCHAR(24) NOT NULL, 
	game INTEGER NOT NULL, 
	seq INTEGER NOT NULL, 
	kind VARCHAR(8) NOT NULL, 
	seat INTEGER NOT NULL, 
	options TEXT NOT NULL, 
	at FLOAT NOT NULL, 
	left1 FLOAT NOT NULL, 
	left2 FLOAT NOT NULL, 
	why VARCHAR(12) NOT NULL, 
	stop VARCHAR(12) NOT NULL, 
	PRIMARY KEY (room, game, seq)
);
INSERT INTO "entries" VALUES('GAetCE30Y0E',1,0,'say',1,'1',1.7951221940240242481e+09,0.0,0.0,'','');
INSERT INTO "entries" VALUES('GAetCE30Y0E',1,1,'say',1,'3',1.79512219402452063562e+09,0.0,0.0,'','');
INSERT INTO "entries" VALUES('GAetCE30Y0E',1,2,'say',1,'24 11 46',1.79512219402520418164e+09,0.0,0.0,'','');
INSERT INTO "entries" VALUES('GAetCE30Y0E',1,3,'say',1,'0',1.79512219402565908433e+09,0.0,0.0,'','');
INSERT INTO "entries" VALUES('GAetCE30Y0E',1,4,'say',0,'18 46 12 0',1.79512219404098105428e+09,0.0,0.0,'','');
INSERT INTO "entries" VALUES('GAetCE30Y0E',1,5,'say',0,'22 39 43 0',1.79512219404657602309e+09,0.0,0.0,'','');
INSERT INTO "entries" VALUES('GAetCE30Y0E',1,6,'say',0,'0',1.79512219404873967169e+09,0.0,0.0,'','');
INSERT INTO "entries" VALUES('GAetCE30Y0E',1,7,'say',1,'0',1.79512219404922318457e+09,0.0,0.0,'','');
INSERT INTO "entries" VALUES('GAetCE30Y0E',1,8,'say',1,'0',1.79512219404948043821e+09,0.0,0.0,'','');
INSERT INTO "entries" VALUES('GAetCE30Y0E',1,9,'say',0,'0',1.79512219405501198769e+09,0.0,0.0,'','');
INSERT INTO "entries" VALUES('GAetCE30Y0E',1,10,'say',1,'2 6 192',1.79512219405581140521e+09,0.0,0.0,'','');
INSERT INTO "entries" VALUES('GAetCE30Y0E',1,11,'say',1,'0',1.79512219405607724191e+09,0.0,0.0,'','');
INSERT INTO "entries" VALUES('GAetCE30Y0E',1,12,'say',0,'0',1.79512219406399416926e+09,0.0,0.0,'','');
INSERT INTO "entries" VALUES('GAetCE30Y0E',1,13,'say',1,'11',1.79512219406449532511e+09,0.0,0.0,'','');
INSERT INTO "entries" VALUES('GAetCE30Y0E',1,14,'say',1,'0',1.79512219406470608707e+09,0.0,0.0,'','');
INSERT INTO "entries" VALUES('GAetCE30Y0E',1,15,'say',0,'15 20 3 134',1.79512219407678079606e+09,0.0,0.0,'','');
INSERT INTO "entries" VALUES('u4a3ip98FVc',1,0,'say',0,'0',1.79512219411753773693e+09,0.0,0.0,'','');
INSERT INTO "entries" VALUES('u4a3ip98FVc',1,1,'say',1,'29 52',1.79512219412675690655e+09,0.0,0.0,'','');
INSERT INTO "entries" VALUES('u4a3ip98FVc',1,2,'say',1,'31',1.79512219560111498835e+09,0.0,0.0,'','');
INSERT INTO "entries" VALUES('u4a3ip98FVc',1,3,'say',1,'5 13 31',1.7951221956114704609e+09,0.0,0.0,'','');
INSERT INTO "entries" VALUES('u4a3ip98FVc',1,4,'say',1,'0',1.79512219682203102112e+09,0.0,0.0,'','');
INSERT INTO "entries" VALUES('u4a3ip98FVc',1,5,'say',0,'0',1.79512219686003375055e+09,0.0,0.0,'','');
INSERT INTO "entries" VALUES('u4a3ip98FVc',1,6,'say',1,'0',1.79512219824663949016e+09,0.0,0.0,'','');
INSERT INTO "entries" VALUES('u4a3ip98FVc',1,7,'say',0,'30 30 43 141',1.79512219826134014136e+09,0.0,0.0,'','');
INSERT INTO "entries" VALUES('u4a3ip98FVc',1,8,'say',0,'0',1.79512219827492737773e+09,0.0,0.0,'','');
INSERT INTO "entries" VALUES('u4a3ip98FVc',1,9,'say',1,'0',1.79512219827826762204e+09,0.0,0.0,'','');
INSERT INTO "entries" VALUES('u4a3ip98FVc',1,10,'say',0,'0',1.79512219953442788127e+09,0.0,0.0,'','');
INSERT INTO "entries" VALUES('u4a3ip98FVc',1,11,'say',0,'12',1.7951221995426383019e+09,0.0,0.0,'','');
INSERT INTO "entries" VALUES('u4a3ip98FVc',1,12,'say',0,'0',1.79512219955318737024e+09,0.0,0.0,'','');
INSERT INTO "entries" VALUES('u4a3ip98FVc',1,13,'auto',1,'0',1.79512226091294169422e+09,0.0,0.0,'time','');
INSERT INTO "entries" VALUES('u4a3ip98FVc',1,14,'say',0,'11',1.79512226093908643727e+09,0.0,0.0,'','');
CREATE TABLE keepsakes (
	account VARCHAR(24) NOT NULL, 
	version INTEGER NOT NULL, 
	text TEXT NOT NULL, 
	PRIMARY KEY (account)
);
CREATE TABLE keys (
	name VARCHAR(24) NOT NULL, 
	value BLOB NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "keys" VALUES('guests',X'7842B536DE4FE32F8AB6B372A53849519E148ABD4D810B20B13F7C8728AAD1E2');
CREATE TABLE owned_names (
	looks VARCHAR(80) NOT NULL, 
	account VARCHAR(24) NOT NULL, 
	name VARCHAR(24) NOT NULL, 
	since FLOAT NOT NULL, 
	PRIMARY KEY (looks)
);
CREATE TABLE passkeys (
	id VARCHAR(400) NOT NULL, 
	account VARCHAR(24) NOT NULL, 
	"key" BLOB NOT NULL, 
	signs INTEGER NOT NULL, 
	label VARCHAR(40) NOT NULL, 
	created FLOAT NOT NULL, 
	used FLOAT NOT NULL, 
	PRIMARY KEY (id)
);
CREATE TABLE played (
	record VARCHAR(24) NOT NULL, 
	seat INTEGER NOT NULL, 
	player VARCHAR(16) NOT NULL, 
	at FLOAT NOT NULL, regulation VARCHAR(120) DEFAULT '' NOT NULL, result VARCHAR(5) DEFAULT '' NOT NULL, used TEXT DEFAULT '' NOT NULL, 
	PRIMARY KEY (record, seat)
);
CREATE TABLE rated (
	number INTEGER NOT NULL, 
	record VARCHAR(24) NOT NULL, 
	format VARCHAR(16) NOT NULL, 
	season INTEGER NOT NULL, 
	p1 VARCHAR(16) NOT NULL, 
	p2 VARCHAR(16) NOT NULL, 
	winner VARCHAR(4) NOT NULL, 
	at FLOAT NOT NULL, 
	mu1 FLOAT NOT NULL, 
	sigma1 FLOAT NOT NULL, 
	mu2 FLOAT NOT NULL, 
	sigma2 FLOAT NOT NULL, 
	PRIMARY KEY (number), 
	UNIQUE (record)
);
CREATE TABLE ratings (
	player VARCHAR(16) NOT NULL, 
	format VARCHAR(16) NOT NULL, 
	season INTEGER NOT NULL, 
	mu FLOAT NOT NULL, 
	sigma FLOAT NOT NULL, 
	games INTEGER NOT NULL, 
	won INTEGER NOT NULL, 
	drawn INTEGER NOT NULL, 
	streak INTEGER NOT NULL, 
	longest INTEGER NOT NULL, 
	played FLOAT NOT NULL, 
	PRIMARY KEY (player, format, season)
);
CREATE TABLE records (
	id VARCHAR(24) NOT NULL, 
	room VARCHAR(24) NOT NULL, 
	game INTEGER NOT NULL, 
	part INTEGER NOT NULL, 
	text TEXT NOT NULL, 
	meta TEXT NOT NULL, 
	created FLOAT NOT NULL, 
	PRIMARY KEY (id)
);
CREATE TABLE reports (
	id VARCHAR(16) NOT NULL, 
	at FLOAT NOT NULL, 
	owner VARCHAR(24) NOT NULL, 
	owner_name VARCHAR(24) NOT NULL, 
	whom VARCHAR(24) NOT NULL, 
	whom_name VARCHAR(24) NOT NULL, 
	why VARCHAR(16) NOT NULL, 
	words TEXT NOT NULL, 
	room VARCHAR(24) NOT NULL, 
	record VARCHAR(24) NOT NULL, 
	heard TEXT NOT NULL, 
	closed FLOAT NOT NULL, 
	PRIMARY KEY (id)
);
CREATE TABLE rooms (
	id VARCHAR(24) NOT NULL, 
	phase VARCHAR(8) NOT NULL, 
	data TEXT NOT NULL, 
	updated FLOAT NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "rooms" VALUES('GAetCE30Y0E','alone','{"id":"GAetCE30Y0E","settings":{"regulation":"master+full","opponent":"easy","clock":{"bank":0,"each":10,"chance":60,"grace":60},"window_ms":null,"spectators":true,"spectator_delay":0,"first":"p1","listed":false,"quick":false,"temper":"","rated":false,"chat":"free"},"edition":"act6.1+ex6.30.1 d19ceb0ece38df38","start":"","phase":"playing","game":1,"since":1795122194.0150497,"secret":"a633f4760c7e8f8abcc29804d0164bc55ebeca67fb6ae0b029b4bbbeb89e2c03","fair":3,"practice":false,"seats":[{"kind":"human","guest":"VwJdBfQktA9dIf1m","name":"Aoi","level":"","bot":true,"signed":false,"shows":false,"ready":true,"seal":"cdb7f3b470f260ce5bcbde1e9faf9a4a77565bcfa531bd087663f974356cc0c0","salt":"0c7950fcffe5f946f0a2544c6464963e","told":false,"terms":"56a84af8a76e69ba59393b4e2cd260aedf7c8f38e38d696f58b9b441c616074c","deck":"","mode":"full","stops":[],"arm":[],"hold":false},{"kind":"ai","guest":"","name":"easy","level":"easy","bot":false,"signed":false,"shows":false,"ready":true,"seal":"","salt":"","told":false,"terms":"","deck":"","mode":"auto","stops":[],"arm":[],"hold":false}],"held":null}',1.79512219401504969596e+09);
INSERT INTO "rooms" VALUES('u4a3ip98FVc','playing','{"id":"u4a3ip98FVc","settings":{"regulation":"pro+full","opponent":"human","clock":{"bank":0,"each":10,"chance":60,"grace":60},"window_ms":null,"spectators":true,"spectator_delay":0,"first":"p1","listed":false,"quick":false,"temper":"","rated":false,"chat":"free"},"edition":"act6.1+ex6.30.1 d19ceb0ece38df38","start":"","phase":"playing","game":1,"since":1795122194.1062617,"secret":"ecb121e30b6c707b443388b1605750bcaa382f6465eee8e4c6065947bbded350","fair":3,"practice":false,"seats":[{"kind":"human","guest":"VwJdBfQktA9dIf1m","name":"Aoi","level":"","bot":true,"signed":false,"shows":false,"ready":true,"seal":"1d31dd5b0d64daa55b16f5ccd8f99b84ba527334c3b7bc74bfdc80cea64f5d19","salt":"306fecd24a9a9b8cf29edd2601f09b8d","told":false,"terms":"34696e691a702d5683f2ac1245415263a9e830fe976300723c1224b7bdf2287d","deck":"","mode":"full","stops":[],"arm":[],"hold":false},{"kind":"human","guest":"cvvGCajEHonnPiIa","name":"Ren","level":"","bot":true,"signed":false,"shows":false,"ready":true,"seal":"22801e4176f34fb8481a997356609bdbcd1ee04faa8c4ea9eb916d10f2849c10","salt":"a6fb6fb090f1160a6c72800ae241df58","told":false,"terms":"34696e691a702d5683f2ac1245415263a9e830fe976300723c1224b7bdf2287d","deck":"","mode":"full","stops":[],"arm":[],"hold":false}],"held":null}',1.79512219410626173024e+09);
CREATE TABLE seasons (
	number INTEGER NOT NULL, 
	ja VARCHAR(40) NOT NULL, 
	en VARCHAR(40) NOT NULL, 
	began FLOAT NOT NULL, 
	ends FLOAT NOT NULL, 
	PRIMARY KEY (number)
);
CREATE TABLE tournament_acts (
	tournament VARCHAR(24) NOT NULL, 
	seq INTEGER NOT NULL, 
	text TEXT NOT NULL, 
	PRIMARY KEY (tournament, seq)
);
CREATE TABLE tournaments (
	id VARCHAR(24) NOT NULL, 
	phase VARCHAR(8) NOT NULL, 
	listed INTEGER NOT NULL, 
	updated FLOAT NOT NULL, 
	seq INTEGER NOT NULL, 
	PRIMARY KEY (id)
);
CREATE TABLE unheard (
	owner VARCHAR(24) NOT NULL, 
	whom VARCHAR(24) NOT NULL, 
	id VARCHAR(16) NOT NULL, 
	name VARCHAR(24) NOT NULL, 
	since FLOAT NOT NULL, 
	ended FLOAT NOT NULL, 
	changed FLOAT NOT NULL, 
	PRIMARY KEY (owner, whom), 
	UNIQUE (id)
);
CREATE INDEX rooms_by_phase ON rooms (phase, updated);
CREATE INDEX records_by_time ON records (created);
CREATE INDEX bouts_by_p1 ON bouts (p1, at);
CREATE INDEX bouts_by_p2 ON bouts (p2, at);
CREATE INDEX accounts_by_change ON accounts (changed);
CREATE INDEX owned_names_by_account ON owned_names (account);
CREATE INDEX devices_by_change ON devices (changed);
CREATE INDEX devices_by_account ON devices (account);
CREATE INDEX passkeys_by_account ON passkeys (account);
CREATE INDEX challenges_by_time ON challenges (until);
CREATE INDEX played_by_player ON played (player, at);
CREATE INDEX rated_by_p1 ON rated (p1, number);
CREATE INDEX rated_by_p2 ON rated (p2, number);
CREATE INDEX ratings_by_format ON ratings (format, season);
CREATE INDEX unheard_by_change ON unheard (changed);
CREATE INDEX reports_by_time ON reports (closed, at);
CREATE INDEX tournaments_by_phase ON tournaments (phase, updated);
CREATE INDEX records_by_room ON records (room);
COMMIT;
