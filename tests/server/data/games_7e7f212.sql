BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0002');
CREATE TABLE bots (
	id VARCHAR(16) NOT NULL, 
	name VARCHAR(24) NOT NULL, 
	mu FLOAT NOT NULL, 
	sigma FLOAT NOT NULL, 
	games INTEGER NOT NULL, 
	won INTEGER NOT NULL, 
	drawn INTEGER NOT NULL, 
	played FLOAT NOT NULL, 
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
INSERT INTO "entries" VALUES('zjNxCJrgyR8',1,0,'say',1,'24 12 42',1.7951225097916603088e+09,0.0,0.0,'','');
INSERT INTO "entries" VALUES('zjNxCJrgyR8',1,1,'say',1,'0',1.79512250979216456407e+09,0.0,0.0,'','');
INSERT INTO "entries" VALUES('zjNxCJrgyR8',1,2,'say',0,'18 39 33 0',1.7951225098335552216e+09,0.0,0.0,'','');
INSERT INTO "entries" VALUES('zjNxCJrgyR8',1,3,'say',0,'19 15 19',1.79512250983541107179e+09,0.0,0.0,'','');
INSERT INTO "entries" VALUES('zjNxCJrgyR8',1,4,'say',0,'0',1.79512250983881568909e+09,0.0,0.0,'','');
INSERT INTO "entries" VALUES('zjNxCJrgyR8',1,5,'say',1,'0',1.79512250983928322786e+09,0.0,0.0,'','');
INSERT INTO "entries" VALUES('zjNxCJrgyR8',1,6,'say',0,'13',1.79512250984251165385e+09,0.0,0.0,'','');
INSERT INTO "entries" VALUES('zjNxCJrgyR8',1,7,'say',1,'0',1.79512250984287214283e+09,0.0,0.0,'','');
INSERT INTO "entries" VALUES('zjNxCJrgyR8',1,8,'say',0,'5 13 1',1.79512250985186982152e+09,0.0,0.0,'','');
INSERT INTO "entries" VALUES('zjNxCJrgyR8',1,9,'say',0,'0',1.79512250985269641878e+09,0.0,0.0,'','');
INSERT INTO "entries" VALUES('zjNxCJrgyR8',1,10,'say',1,'33 52',1.79512250985314846039e+09,0.0,0.0,'','');
INSERT INTO "entries" VALUES('zjNxCJrgyR8',1,11,'say',1,'23',1.79512250985359072684e+09,0.0,0.0,'','');
INSERT INTO "entries" VALUES('zjNxCJrgyR8',1,12,'say',1,'0',1.79512250985391950608e+09,0.0,0.0,'','');
CREATE TABLE keys (
	name VARCHAR(24) NOT NULL, 
	value BLOB NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "keys" VALUES('guests',X'4F6A87946FA9D560E7A8AF57C08620BD86F1AF001F743B5DCD42D04B07338D26');
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
CREATE TABLE rooms (
	id VARCHAR(24) NOT NULL, 
	phase VARCHAR(8) NOT NULL, 
	data TEXT NOT NULL, 
	updated FLOAT NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "rooms" VALUES('zjNxCJrgyR8','alone','{"id":"zjNxCJrgyR8","settings":{"regulation":"master+full","opponent":"easy","clock":{"bank":0,"each":10,"chance":60,"grace":60},"window_ms":null,"spectators":true,"spectator_delay":0,"first":"p1","listed":false},"edition":"act6.1+ex6.30.1 1422cfbbba4ba375","start":"","phase":"playing","game":1,"since":1795122509.7703414,"secret":"1a37ef580055b8a2b287fb8cacf181849157b9dd854d89f876824caad74dcd74","fair":2,"practice":false,"seats":[{"kind":"human","guest":"M85naDw6Y5UpkFqR","name":"Aoi","level":"","bot":true,"ready":true,"seal":"00cfa72db34ef2d39ec5331712023ece0285022b2baa21daad30748962839ed5","salt":"e6f4af40783834c452e792dd493873fb","deck":"","mode":"full","stops":[],"arm":[],"hold":false},{"kind":"ai","guest":"","name":"easy","level":"easy","bot":false,"ready":true,"seal":"","salt":"","deck":"","mode":"auto","stops":[],"arm":[],"hold":false}]}',1.79512250977034139636e+09);
CREATE INDEX rooms_by_phase ON rooms (phase, updated);
CREATE INDEX records_by_time ON records (created);
CREATE INDEX bouts_by_p1 ON bouts (p1, at);
CREATE INDEX bouts_by_p2 ON bouts (p2, at);
COMMIT;
